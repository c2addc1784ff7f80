#include "app/ui/widgets/control_row.h"

#include "app/ui/base/ui.h"

#include <algorithm>

namespace headlight {

namespace {

float row_gap() { return px(6); }
float row_gap_below() { return px(8); }

} // namespace

template <class Draw>
auto ControlRow::place(const Draw& draw) {
    ImGui::SetCursorScreenPos({x_, column_.y});
    const auto result = draw();
    x_ = ImGui::GetItemRectMax().x + row_gap();
    height_ = std::max(height_, ImGui::GetItemRectSize().y);
    return result;
}

ControlRow::~ControlRow() { column_.skip(height_ + row_gap_below()); }

bool ControlRow::button(std::string_view name, std::string_view label, const ButtonOptions& options) {
    const float width = options.pixels > 0  ? options.pixels
                        : options.width > 0 ? px(options.width)
                                            : button_width(label);
    if (x_ > column_.left && x_ + width > column_.right + 1) {
        column_.skip(height_ + row_gap());
        x_ = column_.left, height_ = control_height();
    }
    return place([&] { return headlight::button(name, label, options); });
}

bool ControlRow::toggle(std::string_view name, std::string_view label, bool& on, std::string_view tooltip) {
    return place([&] { return headlight::toggle(name, label, on, tooltip); });
}

bool ControlRow::slider(std::string_view name, std::string_view label, float& value, float low, float high,
                        SliderOptions options) {
    if (options.pixels <= 0) options.pixels = rest().width();
    return place([&] { return headlight::slider(name, label, value, low, high, options); });
}

FieldEvent ControlRow::field(std::string_view name, std::string& text, FieldOptions options, float kept) {
    if (options.pixels <= 0) options.pixels = rest().width() - (kept > 0 ? kept + row_gap() : 0);
    return place([&] { return text_field(name, "", text, options); });
}

ScreenRect ControlRow::take(float width) {
    const ScreenRect place = ScreenRect::at(x_, column_.y, width, control_height());
    x_ += width + row_gap();
    return place;
}

ScreenRect ControlRow::rest() const {
    return {{x_, column_.y}, {column_.right, column_.y + control_height()}};
}

BarListResult column_bars(PanelColumn& column, BarListView view) {
    view.width = column.width();
    ImGui::SetCursorScreenPos({column.left, column.y});
    column.skip(bar_list_height(int(view.bars.size())) + row_gap_below());
    return bar_list(view);
}

} // namespace headlight
