#include "app/ui/window/main_view.h"

#include "app/picture/capture.h"
#include "app/picture/picture.h"
#include "app/session/value_names.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/window/main_view.h"
#include "app/ui/window/window_parts.h"
#include "engine/io/file.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headlight {

namespace {

constexpr int frames_of_picture = 3, most_frames = 400; // large matrices come in a few frames
constexpr float slide_width = 1088, slide_height = 612, margin = 24;
constexpr float most_side = 8192, most_pixels = 120e6f;
constexpr float canvas_area = 1.5e6f, canvas_least = 480,
                canvas_most = 1900;              // of a picture of the network, at scale 1
constexpr float card_row = 24, card_side = 2600; // a row of a card so high, while it is not too large

// What is drawn, and which part of it is meant.
struct Scene {
    ImVec2 size;
    std::function<bool()> draw; // false: not all was ready
    std::function<std::optional<ScreenRect>()> part = [] { return std::optional<ScreenRect>(); };
};

Image cut_out(const Image& image, const ScreenRect& part) {
    const int left = std::clamp(int(part.min.x), 0, image.width),
              top = std::clamp(int(part.min.y), 0, image.height);
    const int right = std::clamp(int(std::ceil(part.max.x)), left, image.width);
    const int bottom = std::clamp(int(std::ceil(part.max.y)), top, image.height);
    Image result{right - left, bottom - top, {}};
    for (int y = top; y < bottom; ++y)
        result.rgba.insert(result.rgba.end(), image.pixel(left, y),
                           image.pixel(left, y) + 4 * (right - left));
    return result;
}

class PictureExport {
public:
    PictureExport(Session& session, CanvasView& canvas, const LessonPlayer& lessons,
                  const ExportRequest& request)
        : session_(session), canvas_(canvas), lessons_(lessons), request_(request) {
        const View& view = session.view();
        look_ = {.dark = view.theme == ThemeName::dark && !request.printable,
                 .presenter = view.presenter ? 1.5f : 1.f,
                 .paper = request.printable};
        window_ = ImGui::GetIO().DisplaySize;
        ui().begin_frame_apart(1, 1, look_); // its style is set, before anything is laid out in it
        ui().end_frame_apart();
    }
    ~PictureExport() { ui().go_on_after_frames_apart(); }
    PictureExport(const PictureExport&) = delete;
    PictureExport& operator=(const PictureExport&) = delete;

    Result<Done> write() {
        const Result<std::string> bytes = request_.subject == ExportSubject::story    ? story()
                                          : request_.subject == ExportSubject::lesson ? lesson()
                                                                                      : picture();
        return bytes ? write_file_atomically(request_.file, *bytes) : bytes.error();
    }

    Result<std::string> picture() {
        Result<Scene> scene = scene_of_request();
        if (!scene) return scene.error();
        const float scale = float(request_.scale);
        const ImVec2 size = scene->size;
        if (size.x > most_side || size.y > most_side || size.x * size.y * scale * scale > most_pixels)
            return Error{
                "error.export_too_large",
                {std::to_string(std::lround(size.x * scale)), std::to_string(std::lround(size.y * scale))}};
        if (request_.kind == ExportFile::png && request_.scale == 1) { // the very pixels of the window
            lay_out(*scene);
            const Image image = ui().display().capture();
            const std::optional<ScreenRect> part = scene->part();
            return png_bytes(part ? cut_out(image, *part) : image);
        }
        const Picture shapes = shapes_of(*scene);
        if (request_.kind == ExportFile::svg) return svg_text(shapes, title(), request_.scale);
        if (request_.kind == ExportFile::pdf) return pdf_bytes(std::span(&shapes, 1), title());
        const Result<Image> image = pixels_of(shapes, scale);
        return image ? Result<std::string>(png_bytes(*image)) : image.error();
    }

private:
    // A slide a step.
    Result<std::string> story() {
        const std::vector<StoryStep>& steps = session_.model().story;
        const std::string present = session_.step().path();
        const bool all_heads =
            session_.view().head < 0; // beside all of them there is no room for what made them
        if (all_heads) (void)session_.execute("head 0");
        std::vector<Picture> pages;
        const Index last = std::min(request_.last, Index(steps.size()) - 1);
        const ImVec2 size{px(slide_width), px(slide_height)};
        for (Index i = request_.first; i <= last; ++i) {
            if (!session_.execute("goto " + steps[std::size_t(i)].path())) continue;
            pages.push_back(shapes_of({size, [&] {
                                           on_sheet(size,
                                                    [&](const ScreenRect& sheet) { slide(sheet, session_); });
                                           return !ui().display().heatmaps().postponed();
                                       }}));
        }
        (void)session_.execute("goto " + present);
        if (all_heads) (void)session_.execute("head all");
        return pdf_bytes(pages, title());
    }

    // A slide a card: what it says and asks, and what it is about, with what it asks for covered. Then the
    // window is again as it was.
    Result<std::string> lesson() {
        if (!lessons_.is_open()) return Error{"error.lesson_none", {}};
        const Lesson& lesson = lessons_.lesson();
        const std::vector<std::string> before = session_.as_commands();
        const Teaching teaching = session_.view().teaching;
        const bool alone = session_.view().alone;
        (void)session_.execute("alone on");
        std::vector<Picture> pages;
        const ImVec2 size{px(slide_width), px(slide_height)};
        for (const LessonCard& card : lesson.cards) {
            if (card.has_setup
                && !session_.replay(setup_of(card, lesson.file), lesson.file.filename().string()))
                continue;
            session_.teach({.cover = cover_of(
                                card, [](std::size_t) { return true; }, session_)});
            pages.push_back(shapes_of({size, [&] {
                                           on_sheet(size, [&](const ScreenRect& sheet) {
                                               lesson_slide(sheet, session_, canvas_, lessons_, card);
                                           });
                                           return !ui().display().heatmaps().postponed();
                                       }}));
        }
        std::string lines;
        for (const std::string& line : before) lines += line + "\n";
        (void)session_.replay(lines, "");
        if (!alone) (void)session_.execute("alone off");
        session_.teach(teaching);
        return pdf_bytes(pages, lesson.title);
    }

    void lay_out(const Scene& scene) {
        for (int i = 0; i < most_frames; ++i) {
            ui().begin_frame_apart(int(std::ceil(scene.size.x)), int(std::ceil(scene.size.y)), look_);
            const bool ready = scene.draw();
            ui().end_frame_apart();
            if (ready && i + 1 >= frames_of_picture) return;
        }
    }

    Picture shapes_of(const Scene& scene) {
        HeatmapRenderer& heatmaps = ui().display().heatmaps();
        const CaptureMode mode(heatmaps);
        lay_out(scene);
        Picture shapes = capture_picture(heatmaps, fonts_, colours().window);
        const std::optional<ScreenRect> part = scene.part();
        return part ? shapes.part({part->min.x, part->min.y, part->max.x, part->max.y}) : shapes;
    }

    template <class Draw>
    static void on_sheet(ImVec2 size, Draw draw) {
        begin_bare_window("sheet", {{0, 0}, {std::ceil(size.x), std::ceil(size.y)}},
                          ImGuiWindowFlags_NoInputs);
        draw(ScreenRect{{0, 0}, size});
        ImGui::End();
    }

    Result<Scene> scene_of_request() {
        switch (request_.subject) {
        case ExportSubject::matrices:
            return scene_of_matrices();
        case ExportSubject::card:
            return scene_of_card();
        case ExportSubject::canvas:
            return scene_of_canvas();
        default:
            return scene_of_page();
        }
    }

    Result<Scene> scene_of_matrices() {
        for (const MatrixPart& part : request_.parts)
            if (!session_.has(part)) return Error{"error.no_such_value", {part.path, session_.model().name}};
        const float space = px(margin), widest = px(request_.widest) - 2 * space;
        const ImVec2 inner = matrix_sheet_size(session_, request_.parts, std::max(widest, 0.f));
        const ImVec2 size{inner.x + 2 * space, inner.y + 2 * space};
        return Scene{size, [this, size, space] {
                         on_sheet(size, [&](const ScreenRect& sheet) {
                             const ScreenRect inside = sheet.inset(space);
                             matrix_sheet(inside, session_, request_.parts,
                                          request_.widest > 0 ? inside.width() : 0);
                         });
                         return !ui().display().heatmaps().postponed();
                     }};
    }

    Result<Scene> scene_of_card() {
        const Card* card = canvas_.canvas().present_layout().find(session_.step().node);
        if (!card) return Error{"error.no_such_value", {session_.step().path(), session_.model().name}};
        const double longest = std::max(card->rect.width, card->rect.height);
        const double zoom = std::min(double(px(card_row)) / (card_measures::row * card->scale),
                                     double(px(card_side)) / longest);
        const float space = px(10);
        const ImVec2 size{float(card->rect.width * zoom) + 2 * space,
                          float(card->rect.height * zoom) + 2 * space};
        return Scene{size, [this, size, card] { return network(size, card); }};
    }

    Result<Scene> scene_of_canvas() {
        const PlaneRect bounds = canvas_.canvas().present_layout().bounds;
        const double zoom =
            std::min({std::sqrt(double(px(1) * px(1) * canvas_area) / (bounds.width * bounds.height)),
                      double(px(canvas_most)) / bounds.width, double(px(canvas_most)) / bounds.height});
        const ImVec2 size{std::max(float(bounds.width * zoom), px(canvas_least)),
                          std::max(float(bounds.height * zoom), px(canvas_least))};
        return Scene{size, [this, size] { return network(size, nullptr); }};
    }

    bool network(ImVec2 size, const Card* card) {
        bool ready = true;
        on_sheet(size, [&](const ScreenRect& sheet) { ready = canvas_.draw_picture(sheet, session_, card); });
        return ready;
    }

    // The window as it is; of it, what stands between the bars, or less.
    Result<Scene> scene_of_page() {
        const std::string name = request_.subject == ExportSubject::widget ? request_.widget : "page";
        if (const auto& names = ui().widgets(); !names.find(name)) {
            std::string known;
            for (const std::string& one : names.names()) known += (known.empty() ? "" : ", ") + one;
            return Error{"error.no_such_widget", {name, known}};
        }
        return Scene{window_,
                     [this] {
                         picture_view(session_, canvas_, lessons_);
                         return !ui().display().heatmaps().postponed();
                     },
                     [name] { return ui().widgets().find(name); }};
    }

    // For who does not see it: the sentence, what is shown, the model.
    std::string title() const {
        std::string what = session_.question().source;
        // A card is that of the step that is shown by now: what it was asked for may be gone.
        const Node* node = request_.parts.empty() ? nullptr : session_.find(request_.parts.front().path);
        if (node) what += " · " + value_name(session_, *node);
        return what + " · " + session_.model().name;
    }

    Session& session_;
    CanvasView& canvas_;
    const LessonPlayer& lessons_;
    const ExportRequest& request_;
    ThemeOptions look_;
    ImVec2 window_; // its size
    FontFiles fonts_;
};

} // namespace

Result<Done> export_picture(Session& session, CanvasView& canvas, const LessonPlayer& lessons,
                            const ExportRequest& request) {
    return PictureExport(session, canvas, lessons, request).write();
}

Result<std::string> picture_in_svg(Session& session, CanvasView& canvas, const LessonPlayer& lessons,
                                   ExportRequest request) {
    request.kind = ExportFile::svg;
    return PictureExport(session, canvas, lessons, request).picture();
}

} // namespace headlight
