#include "app/ui/rooms/rooms.h"

#include "app/ui/closeup/closeups.h"
#include "app/ui/rooms/say/say_parts.h"
#include "app/ui/widgets/drop_list.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// Word by word is looked at in three ways; beams are a page of their own.
void page_choice(SayContext& say, PanelColumn& column) {
    constexpr SayingPage pages[] = {SayingPage::words, SayingPage::lanes, SayingPage::cost};
    const SayingPage here = say.session.view().saying.page;
    if (here == SayingPage::beams) return;
    const auto name = [](SayingPage page) { return std::string(saying_page_names[std::size_t(page)]); };
    std::vector<Chip> choices;
    for (const SayingPage page : pages)
        choices.push_back({say.text("say.page." + name(page)), {}, here == page});
    if (const auto pressed = chips_or_list("saying.page", choices, say.text("say.page.tip"), column))
        say.commands.emit("say " + name(pages[*pressed]));
    column.skip(px(10));
}

} // namespace

std::string SayContext::label(TokenId word) const {
    return said_label(session.model().files, session.model().map(), word);
}

TokenId SayContext::fed_after(TokenId said) const {
    return fed_of_texts(std::span(&said, 1), *session.model().map().target()).front();
}

std::string SayContext::share(double p) const {
    return p == 0 ? "0" : p < 0.0005 ? "<" + exact_text(0.001) : format_fixed(p, 3);
}

void say_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands) {
    const SayingPage page = session.view().saying.page;
    const bool shows_canvas = page == SayingPage::words;
    if (!shows_canvas) canvas.hide();
    const Saying* saying = session.saying();
    const bool says = saying && !saying->answers.empty();
    if (session.view().alone && (shows_canvas || !says)) {
        canvas.hinted.reset();
        return canvas_or_closeup(body, session, canvas, commands);
    }
    const bool alone = session.view().alone;
    const float gap = px(12);
    const float width = alone ? -gap : std::clamp(body.width() * 0.36f, px(330), px(520));
    const ScreenRect main{body.min, {body.max.x - width - gap, body.max.y}};
    const ScreenRect side{{main.max.x + gap, body.min.y}, body.max};
    if (!alone) pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    const ScreenRect inner{{side.min.x + px(16), side.min.y + px(14)},
                           {side.max.x - px(6), side.max.y - px(10)}};
    if (!says) {
        canvas.hinted.reset();
        canvas_or_closeup(main, session, canvas, commands);
        PanelColumn column{inner.min.x, inner.max.x - px(10), inner.min.y};
        const bool writes = session.model().map().target() != nullptr;
        return column_text(column, faces().body, colours().ink_soft,
                           session.strings().text(writes ? "say.none" : "say.writes_nothing"));
    }
    SayContext say{session, commands, *saying};
    if (shows_canvas) {
        canvas.hinted.reset();
        canvas_or_closeup(main, session, canvas, commands);
    } else {
        pen().AddRectFilled(main.min, main.max, colours().card, px(10));
        const ScreenRect picture{{main.min.x + px(16), main.min.y + px(14)},
                                 {main.max.x - px(10), main.max.y - px(10)}};
        if (page == SayingPage::beams) beams_tree(say, picture);
        if (page == SayingPage::lanes) lanes_view(say, picture);
        if (page == SayingPage::cost) cost_view(say, picture);
    }
    if (alone) return;
    PanelColumn top{inner.min.x, inner.max.x - px(10), inner.min.y};
    page_choice(say, top);
    if (page == SayingPage::words || page == SayingPage::cost) loop_controls(say, top);
    // The sliders stay where they are while the bars that follow them scroll; a low window scrolls all.
    const bool keeps_ways = page == SayingPage::words && inner.height() > px(620);
    if (keeps_ways) ways(say, top);
    // Each page begins at its own beginning.
    const std::string own = "saying.side." + std::to_string(int(page));
    ScrolledColumn scrolled(own.c_str(), {{inner.min.x, top.y}, inner.max});
    PanelColumn& column = scrolled.column;
    switch (page) {
    case SayingPage::words:
        if (!keeps_ways) ways(say, column);
        passes(say, column);
        break;
    case SayingPage::beams:
        beams_side(say, column);
        break;
    case SayingPage::lanes:
        lanes_side(say, column);
        break;
    case SayingPage::cost:
        cost_side(say, column);
        break;
    }
}

} // namespace headlight
