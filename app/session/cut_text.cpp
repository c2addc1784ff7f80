#include "app/session/cut_text.h"

#include "app/session/session.h"

#include <algorithm>

namespace headlight {

namespace {

const Stream* stream_of_side(const ModelMap& map, CutSide side) {
    if (side != CutSide::target) return typed_stream(map);
    return map.source() ? map.target() : nullptr; // what is written on is the sentence itself
}

bool at_end(const TextCut& text, const CutFilm& film) {
    return film.word + 1 >= Index(text.words.size()) && film.moment >= text.steps(film.word);
}

// One moment on, and after the last one of a word the next word. False at the end of the last word.
bool to_next_moment(const TextCut& text, CutFilm& film) {
    if (at_end(text, film)) return false;
    if (film.moment < text.steps(film.word)) {
        ++film.moment;
    } else {
        ++film.word;
        film.moment = 0;
    }
    return true;
}

// One moment back; before the first one of a word the word before, all of it.
void to_previous_moment(const TextCut& text, CutFilm& film) {
    if (film.moment > 0)
        --film.moment;
    else if (film.word > 0)
        film.moment = text.steps(--film.word);
}

void go_to_word(const TextCut& text, CutFilm& film, Index word) {
    word = std::clamp<Index>(word, 0, std::max<Index>(0, Index(text.words.size()) - 1));
    if (word != film.word) film.moment = 0;
    film.word = word;
}

} // namespace

ModelInput TextCut::fed() const {
    ModelInput input;
    const auto add = [&](const std::vector<TokenId>& ids) {
        for (const TokenId id : ids) {
            input.ids.push_back(id);
            input.pieces.push_back(ModelInput::added);
        }
    };
    if (stream) add(stream->before);
    for (std::size_t i = 0; i < cutting.pieces.size(); ++i) {
        input.ids.push_back(cutting.pieces[i].id);
        input.pieces.push_back(std::ptrdiff_t(i));
    }
    if (stream) add(stream->after);
    return input;
}

std::optional<std::string> typed_on(const Session& session, CutSide side) {
    if (!stream_of_side(session.model().map(), side)) return {};
    const Question& question = session.question();
    if (side == CutSide::target) return question.target;
    return side == CutSide::second ? question.second : question.source;
}

CutSide present_cut_side(const Session& session) {
    const CutSide wanted = session.view().close_ups.cut.side;
    return typed_on(session, wanted) ? wanted : CutSide::source;
}

TextCut present_cut_text(const Session& session) {
    TextCut text;
    text.side = present_cut_side(session);
    text.typed = typed_on(session, text.side).value_or("");
    text.stream = stream_of_side(session.model().map(), text.side);
    if (!text.stream) return text;
    text.tokenizer = tokenizer_of(session.model().files, text.stream);
    text.cutting = cut(text.tokenizer, text.typed);
    for (std::size_t i = 0; i < text.cutting.stretches.size(); ++i)
        for (std::size_t k = 0; k < text.cutting.stretches[i].words.size(); ++k)
            text.words.emplace_back(i, k);
    return text;
}

CutFilm present_cut_film(const Session& session, const TextCut& text) {
    CutFilm film = session.view().close_ups.cut;
    film.side = text.side;
    if (film.word >= Index(text.words.size())) { // of a longer text
        film.word = film.moment = 0;
        film.playing = false;
    }
    film.moment = std::clamp<Index>(film.moment, 0, text.steps(film.word));
    return film;
}

bool advance_cut_film(const Session& session, View& view, double seconds) {
    CutFilm& kept = view.close_ups.cut;
    kept.clock += seconds;
    if (kept.clock < 1 / view.steps_per_second) return false;
    const TextCut text = present_cut_text(session);
    CutFilm film = present_cut_film(session, text);
    film.clock = 0;
    film.playing = film.playing && to_next_moment(text, film);
    kept = film;
    return true;
}

std::vector<std::string> commands_of_cut_film(const Session& session) {
    const TextCut text = present_cut_text(session);
    const CutFilm film = present_cut_film(session, text);
    std::vector<std::string> lines{"tokens " + std::string(cut_side_names[std::size_t(text.side)])};
    if (film.word > 0) lines.push_back("tokens word " + std::to_string(film.word));
    if (film.moment > 0) lines.push_back("tokens moment " + std::to_string(film.moment));
    return lines;
}

void add_cut_commands(CommandRegistry& commands, const Session& session, View& view) {
    using namespace argument;
    // `set` gets the text and the film as they are; it may return an Error.
    const auto add = [&](std::vector<Argument> arguments, auto set) {
        const auto run = [&, set](const Arguments& in) -> Result<Done> {
            const TextCut text = present_cut_text(session);
            if (!text.stream) return Error{"error.no_words", {session.model().name}};
            CutFilm film = present_cut_film(session, text);
            const Result<Done> done = set(in, text, film);
            if (done) view.close_ups.cut = film;
            return done;
        };
        commands.add_with_model("tokens", std::move(arguments), run).replayable = true;
    };
    const auto open = [&] { // in a room that has a place for it
        view.close_ups.open = CloseUp::tokens;
        if (view.room == Room::heads || is_small_page(view.room)) view.room = Room::explore;
        view.playing = false;
    };
    add({}, [open](const Arguments&, const TextCut&, CutFilm&) {
        open();
        return Done{};
    });
    add({one_of(cut_side_names)},
        [&, open](const Arguments& in, const TextCut& text, CutFilm& film) -> Result<Done> {
            const auto side = CutSide(in.place());
            if (!typed_on(session, side))
                return Error{side == CutSide::target ? "error.no_target_given" : "error.no_second", {}};
            if (side != text.side) film = {side};
            open();
            return Done{};
        });
    add({"next|previous"}, [](const Arguments& in, const TextCut& text, CutFilm& film) {
        film.playing = false;
        if (in.said("next"))
            to_next_moment(text, film);
        else
            to_previous_moment(text, film);
        return Done{};
    });
    add({"word", "next|previous"}, [](const Arguments& in, const TextCut& text, CutFilm& film) {
        go_to_word(text, film, film.word + (in.said("next") ? 1 : -1));
        return Done{};
    });
    const auto out_of_range = [](const char* what, Index last) {
        return Error{"error.out_of_range", {std::string("tokens ") + what, "0", std::to_string(last)}};
    };
    add({"word", whole("WORD")},
        [out_of_range](const Arguments& in, const TextCut& text, CutFilm& film) -> Result<Done> {
            const Index last = Index(text.words.size()) - 1, word = in.whole("WORD");
            if (word < 0 || word > last) return out_of_range("word", std::max<Index>(0, last));
            go_to_word(text, film, word);
            return Done{};
        });
    add({"moment", whole("MOMENT")},
        [out_of_range](const Arguments& in, const TextCut& text, CutFilm& film) -> Result<Done> {
            const Index last = text.steps(film.word), moment = in.whole("MOMENT");
            if (moment < 0 || moment > last) return out_of_range("moment", last);
            film.moment = moment;
            film.playing = false;
            return Done{};
        });
    add({"play|pause|toggle"}, [](const Arguments& in, const TextCut& text, CutFilm& film) {
        film.playing = in.said("play") || (in.said("toggle") && !film.playing);
        if (film.playing && at_end(text, film)) film.word = film.moment = 0; // again from the beginning
        film.clock = 0;
        return Done{};
    });
}

} // namespace headlight
