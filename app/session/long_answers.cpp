#include "app/session/long_answers.h"

#include "engine/base/stopwatch.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

// Of a search or a draw whose first words are shown until all of it is known: some tenths of a second.
constexpr Index multiplications_at_once = 2'000'000'000;

} // namespace

Waiting LongAnswers::waiting(Of answer) const {
    const std::optional<KnownAnswer>& known = known_[std::size_t(answer)];
    const bool waits = patience_ == std::numeric_limits<double>::infinity();
    return {patience_, most_words(), known ? &*known : nullptr, waits ? 0 : multiplications_at_once};
}

void LongAnswers::forget() {
    under_way_.reset();
    stopped_.reset();
    known_ = {};
    wants_all_ = false;
}

void LongAnswers::forget_and_want_all() {
    forget();
    wants_all_ = true;
}

void LongAnswers::begin(Of answer, LoadedModel& model, const Sentence& cut) {
    std::vector<TokenId> words(cut.target_ids.begin() + std::ptrdiff_t(cut.before_own), cut.target_ids.end());
    words.push_back(cut.goal_ids.back());
    if (const Index said = Index(words.size()); is_enough(said)) {
        known_[std::size_t(answer)] = KnownAnswer{std::move(words), true};
        stopped_ = Progress{said, said, true};
        return;
    }
    under_way_.reset(); // its pass serves the next one
    Model& pass = model.pass(LoadedModel::Pass::written);
    pass.graph.set_edits(answer == Of::shown ? model.graph().edits() : std::vector<Edit>{});
    under_way_ = std::make_unique<UnderWay>(answer, pass, cut);
}

bool LongAnswers::advance(double seconds) {
    const Stopwatch watch;
    AnswerWriter& writer = under_way_->writer;
    const auto is_done = [&] { return writer.is_over() || is_enough(Index(writer.answer().said.size())); };
    while (!is_done()) {
        writer.say_next();
        if (watch.seconds() >= seconds) break;
    }
    if (!is_done()) return false;
    if (writer.is_over())
        keep(false);
    else
        stop();
    return true;
}

void LongAnswers::stop() {
    while (under_way_->writer.answer().said.empty()) under_way_->writer.say_next();
    stopped_ = progress();
    stopped_->is_stopped = true;
    keep(!under_way_->writer.is_over());
}

void LongAnswers::keep(bool is_cut) {
    known_[std::size_t(under_way_->answer)] = KnownAnswer{under_way_->writer.answer().words(), is_cut};
    under_way_.reset();
}

std::optional<LongAnswers::Progress> LongAnswers::progress() const {
    if (!under_way_) return stopped_;
    return Progress{Index(under_way_->writer.answer().said.size()), under_way_->writer.most_words()};
}

} // namespace headlight
