#include "app/session/step_text.h"
#include "app/session/view.h"
#include "app/ui/base/ui.h"
#include "app/ui/canvas/film_painter.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/text.h"

#include <string>

namespace headlight {

namespace {

// A model of one stream has no two columns; one that says no next word ends otherwise.
std::string variant_of(SceneKind kind, const ModelMap& map) {
    if (kind == SceneKind::network) return map.streams.size() < 2 ? ".one" : "";
    const bool is_last = kind == SceneKind::answer || kind == SceneKind::said;
    return is_last && !map.output.is_next_word() ? ".once" : "";
}

// What is said of a network that cuts negative numbers off is not true of another.
// Likewise of norms without a mean, places that are learnt, scores that are not made smaller, and heads that
// share their keys.
std::string of_operation(SceneKind kind, const ModelMap& map) {
    const Node* activated = map.feed_forwards.empty() ? nullptr : map.feed_forwards.front().activated;
    const Attention* attention = map.attentions.empty() ? nullptr : &map.attentions.front();
    const Node* positions = map.streams.empty() ? nullptr : map.streams.front().positions;
    if (kind == SceneKind::ffn && activated && activated->op->name() == "relu") return ".relu";
    if (kind == SceneKind::normed && !map.norms.empty() && map.norms.front()->op->name() == "rms_norm")
        return ".rms";
    if (kind == SceneKind::positions && positions && positions->needs_grad) return ".learned";
    if (kind == SceneKind::scores && attention && !attention->scaled) return ".unscaled";
    if (kind == SceneKind::vectors && attention && attention->key_heads < attention->heads) return ".grouped";
    return {};
}

} // namespace

FilmWords film_words(const Session& session) {
    const Strings& s = session.strings();
    const View& view = session.view();
    const Film& film = session.model().film;
    FilmWords words;
    words.scene = film.at(view.film.seconds).scene;
    const FilmScene& now = film.scenes()[words.scene];
    const std::string name = "film." + std::string(name_of(now.kind));
    const std::string variant = variant_of(now.kind, session.model().map());
    words.title = s.text(name + ".title" + variant);
    words.asks =
        !view.playing && view.film.seconds <= now.begin + film_waits; // a presenter waits for an answer
    const bool is_told = film.shot(view.step).in_full();
    const StoryStep& told = is_told ? session.step() : session.model().story[std::size_t(now.told)];
    if (words.asks)
        words.text = s.text(name + ".ask" + variant, sizes_in_texts(session, *session.step().node));
    else
        words.text = s.text(name + ".text"
                                + (variant.empty() ? of_operation(now.kind, session.model().map()) : variant),
                            sizes_in_texts(session, *told.node));
    if (is_told && !words.asks && now.kind != SceneKind::network)
        words.formula = formula_in_language(session, told.sized.empty() ? told.formula : told.sized);
    return words;
}

float film_caption_height(const Session& session, const ScreenRect& view) {
    if (session.view().outside == Outside::all) return 0; // it stands beside the canvas
    const float lines = view.width() < px(560) ? 3 : 2;
    return faces().strong.size * 1.5f + faces().body.size * line_spacing * lines + px(22);
}

void film_caption(const CanvasScene& scene, CommandSink& commands) {
    const Session& session = scene.session;
    const Strings& s = session.strings();
    const float height = film_caption_height(session, scene.rect);
    const ScreenRect place{{scene.rect.min.x + px(10), scene.rect.max.y - height - px(8)},
                           {scene.rect.max.x - px(10), scene.rect.max.y - px(8)}};
    scene.list.AddRectFilled(place.min, place.max, with_alpha(colours().card, 0.96f), px(8));
    scene.list.AddRect(place.min, place.max, colours().line, px(8));
    widgets().record("caption", place);
    const ScreenRect inner = place.inset(px(10));
    const float button_size = control_height();
    ImGui::SetCursorScreenPos({inner.max.x - button_size + px(4), inner.min.y - px(5)});
    if (button("caption.off", "×",
               {.tooltip = s.text("film.off.tip"), .kind = ButtonKind::quiet, .pixels = button_size}))
        commands.emit("film off");
    const FilmWords words = film_words(session);
    const std::string number =
        std::to_string(words.scene + 1) + " / " + std::to_string(session.model().film.scenes().size());
    draw_text(scene.list, faces().caption, {inner.min.x, inner.min.y + px(2)}, colours().ink_faint, number);
    const float left = inner.min.x + text_width(faces().caption, "00 / 00") + px(10);
    if (words.asks) {
        draw_wrapped(scene.list, faces().strong, {left, inner.min.y - px(2)},
                     inner.max.x - button_size - left, colours().accent, words.text);
        return;
    }
    draw_text_in(
        scene.list, faces().strong,
        {{left, inner.min.y - px(2)}, {inner.max.x - button_size, inner.min.y + faces().strong.size * 1.3f}},
        colours().ink, words.title);
    // The formula of what is computed now, at the right, where the words leave room.
    const FormulaExtent extent = measure_formula(words.formula, {.size = MathSize::small});
    const float top = inner.min.y + faces().strong.size * 1.5f;
    float right = inner.max.x;
    if (extent.width > 0 && extent.width < inner.width() * 0.45f) {
        const float middle = (inner.min.y + button_size + inner.max.y) / 2;
        draw_formula(scene.list, {inner.max.x - extent.width, middle + (extent.ascent - extent.descent) / 2},
                     words.formula, {.size = MathSize::small});
        right -= extent.width + px(20);
    }
    const Face* face = &faces().body;
    for (const Face* smaller : {&faces().caption, &faces().fine})
        if (wrapped_height(*face, words.text, right - inner.min.x) > inner.max.y - top + px(4))
            face = smaller;
    draw_wrapped(scene.list, *face, {inner.min.x, top}, right - inner.min.x, colours().ink_soft, words.text);
}

} // namespace headlight
