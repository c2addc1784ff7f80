// What is told in passing: for how long, and what ends it.
#include "app/session/session.h"
#include "app/session/word_life.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

constexpr double seconds_of_a_remark = 4, seconds_of_an_offer = 20;

// Who reads slowly reads ten letters a second, once the notice was seen.
double seconds_to_read(const std::string& text) {
    return std::clamp(3 + double(text.size()) / 10, 6.0, 25.0);
}

} // namespace

void Session::report_text(std::string text) {
    const double seconds = seconds_to_read(text);
    view_.notice = Notice{true, std::move(text), seconds};
}

void Session::tell(std::string_view key, std::vector<std::string> values) {
    view_.notice = Notice{false, strings_.text(std::string(key), values), seconds_of_a_remark};
}

void Session::tell_and_offer(std::string text, std::string offer, std::string command) {
    view_.notice = Notice{false, std::move(text), seconds_of_an_offer, std::move(offer), std::move(command)};
}

// Under a dialog it is not read: there no time goes by for it.
bool Session::advance_notice(double seconds) {
    if (!view_.notice || view_.dialog() != Dialog::none) return false;
    view_.notice->seconds_left -= seconds;
    if (view_.notice->seconds_left > 0) return false;
    view_.notice.reset();
    return true;
}

// Where a session finds what it is asked for: a value, its version, a word, a stream.

const Graph* Session::graph_of(std::string_view path) const {
    if (!has_model()) return nullptr;
    const std::optional<Room> page = small_page_of(path);
    if (page == Room::ground_up) return &small_pages().attention->graph;
    if (page == Room::cabinet) return &small_pages().filing_cabinet->graph;
    if (page == Room::fixed_weights)
        return small_pages().fixed_weights_learned ? &small_pages().fixed_weights_learned->graph() : nullptr;
    if (page == Room::norms) return norms() ? &norms()->computed->graph : nullptr;
    if (page == Room::descent) return &small_pages().descended->graph();
    if (page == Room::costs) return &small_pages().layer_counts->graph;
    if (is_measure(path)) {
        const MeasureGraph* measure = experiment().measured().graph_of(path, model(), attributed());
        return measure ? &measure->graph : nullptr;
    }
    return &model().graph();
}

const Node* Session::find(std::string_view path) const {
    const Graph* graph = graph_of(path);
    return graph ? graph->find(path) : nullptr;
}

bool Session::has(const NamedCell& cell) const {
    const Graph* graph = graph_of(cell.path);
    return graph && exists(cell, *graph);
}

bool Session::has(const MatrixPart& part) const {
    const Graph* graph = graph_of(part.path);
    return graph && exists(part, *graph);
}

unsigned long Session::version_of(std::string_view path) const {
    if (has_model() && is_measure(path))
        return experiment().measured().version_of(path, model(), attributed());
    const std::optional<Room> page = small_page_of(path);
    if (page == Room::norms && norms()) return norms()->version;
    return page ? small_pages().version : version();
}

AtHand Session::at_hand() const {
    if (!has_model()) return {};
    std::vector<const Graph*> pages = {&small_pages().attention->graph, &small_pages().filing_cabinet->graph,
                                       &small_pages().descended->graph(), &small_pages().layer_counts->graph};
    if (small_pages().fixed_weights_learned) pages.push_back(&small_pages().fixed_weights_learned->graph());
    if (norms()) pages.push_back(&norms()->computed->graph);
    return {&model(), std::move(pages),
            [this](std::string_view path) { return is_measure(path) ? find(path) : nullptr; }};
}

bool Session::shows_way() const {
    return has_model() && model().net_of == question().small_pages.descent.task;
}

SweepTarget Session::attributed() const {
    const Output& output = model().map().output;
    const std::optional<SweepTarget>& chosen = view_.heads.attributed;
    const auto is_there = [&](const SweepTarget& target) {
        const Shape& said = output.values->shape();
        return Region{0, target.row, target.word}.fits(said)
               && Region{0, target.row, target.against.value_or(0)}.fits(said);
    };
    if (chosen && output.values && is_there(*chosen)) return *chosen;
    // Of a model that goes on with a text: what it says next, after the last word that was typed.
    const Stream* typed = typed_stream(model().map());
    if (typed && typed->is_written) {
        const Index row = Index(typed->before.size()) + words_to_silence(model(), sentence()) - 1;
        if (row >= 0 && row < Index(sentence().chosen_ids.size()))
            return {row, sentence().chosen_ids[std::size_t(row)]};
    }
    return default_target(SweepKind::heads, sentence(), nullptr, {}, output);
}

const Attribution* Session::attribution() const {
    if (!has_model() || !has_linear_way(model().map())) return nullptr;
    return &experiment().measured().graph_of(attribution_name, model(), attributed())->attribution;
}

VocabularyRequest Session::word_request() const {
    const WordsView& words = view_.heads.words;
    VocabularyRequest request{words.word, {question().source}};
    if (question().second) request.own.push_back(*question().second);
    request.own.insert(request.own.end(), words.own.begin(), words.own.end());
    if (!request.word.empty()) return request;
    const std::vector<std::string> read = words_read(model(), question().source);
    if (!read.empty()) request.word = read.back();
    return request;
}

const Stream* Session::lens_stream() const {
    if (!has_model()) return nullptr;
    const std::vector<const Stream*> streams = lens_streams(*model().main_pass);
    for (const Stream* stream : streams)
        if (stream->name == view_.heads.lens) return stream;
    return streams.empty() ? nullptr : streams.front();
}

const BackwardStep& Session::backward_step() const {
    const std::vector<BackwardStep>& steps = model().backward_story;
    return steps[std::size_t(std::clamp<Index>(view_.backward.step, 0, Index(steps.size()) - 1))];
}

bool Session::shows_gradient(const Node& node) const {
    const bool is_shown = is_of_model(node) || node.graph == &small_pages().descended->graph();
    return view_.backward.on && is_shown && node.graph->has_gradient(node);
}

Index Session::batch_sample() const {
    const PaddedBatch& batch = padded_batch();
    const Index last = Index(batch.samples.size()) - 1;
    if (view_.heads.batch.sample) return std::min(*view_.heads.batch.sample, last);
    for (Index i = 0; i <= last; ++i)
        if (batch.samples[std::size_t(i)].source_length < batch.source_length) return i;
    return 0;
}

// The page of the first settings that are others; of all others the heads'.
Room Session::room_of_settings(const Question& now, const Question& before) const {
    const auto lines = [&](const Question& question, std::string_view page) {
        return commands_.lines_of(CommandForm::Of::question, {question, view_}, page);
    };
    for (std::size_t i = 0; i < std::size(room_names); ++i) {
        const Room room = Room(i);
        if (!is_small_page(room) || lines(now, room_names[i]) == lines(before, room_names[i])) continue;
        // While its net is open, its way is seen there, too.
        return room == Room::descent && shows_way() && !is_small_page(view_.room) ? view_.room : room;
    }
    return Room::heads;
}

namespace {

constexpr Index most_numbers = 20'000'000; // of a model that is measured unasked: one pass takes a frame

}

// The page of the lens looks through it; so does a word whose life is told, if words are said in its place.
const Stream* Session::lens_in_sight() const {
    if (!has_model()) return nullptr;
    if (view_.room == Room::heads && view_.heads.page == HeadsPage::lens) return lens_stream();
    if (!tells_life(*this) || model().files.parameters.count() > most_numbers) return nullptr;
    const Stream* stream = model().map().stream(view_.word->stream);
    const std::vector<const Stream*> all = lens_streams(*model().main_pass);
    const bool says = stream->tokens == model().map().output.tokens;
    return says && std::find(all.begin(), all.end(), stream) != all.end() ? stream : nullptr;
}

bool Session::is_lens_under_way() const {
    const Stream* stream = lens_in_sight();
    const LensTable* table = stream ? experiment().measured().lens() : nullptr;
    return stream && (!table || table->stream != stream->name || !table->is_complete());
}

// What is said that depends on the word whose life is told.
std::optional<NamedCell> Session::said_of_word() const {
    if (!tells_life(*this)) return {};
    const std::optional<SweepTarget> said = what_depends_on(model().map(), *view_.word);
    if (!said) return {};
    return NamedCell{model().map().output.probabilities->path, {0, said->row, said->word}};
}

bool Session::is_profile_under_way() const {
    return has_model() && is_profiled(view_)
           && (!experiment().profile() || !experiment().profile()->is_over());
}

// Whoever comes to what mattered finds a result, not a button; ended by hand it stays ended, until there are
// other numbers. A large model is asked for it: each of its passes takes longer than a frame.
bool Session::awaits_sweep() const {
    if (!has_model() || inquiries_.of_run || experiment().is_writing() || model().map().attentions.empty()
        || model().files.parameters.count() > most_numbers)
        return false;
    if (view_.room == Room::heads && view_.heads.page == HeadsPage::sweep)
        return !sweep() && swept_ != version();
    const bool is_swept = swept_ == version() && swept_for_ == view_.word;
    const std::optional<NamedCell> said = is_swept ? std::nullopt : said_of_word();
    if (!said || what_if().comparison())
        return false; // what each head is worth to the model as it was trained
    const bool is_known = sweep() && sweep()->kind == SweepKind::heads
                          && sweep()->sweep.target().row == said->cell.row
                          && Index(sweep()->sweep.target().word) == said->cell.column;
    return !is_known;
}

} // namespace headlight
