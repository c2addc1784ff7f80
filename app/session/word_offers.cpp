#include "app/session/word_offers.h"

#include "app/session/session.h"
#include "app/session/word_list.h"
#include "engine/text/nearest_words.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

constexpr std::size_t most_edits = 2; // of a slip of the hand

std::vector<std::string> vocabulary_words(const Vocabulary& vocabulary) {
    std::vector<std::string> words;
    for (Index id = 0; id < vocabulary.size(); ++id)
        if (!vocabulary.is_special(TokenId(id))) words.push_back(vocabulary.token(TokenId(id)));
    return words;
}

} // namespace

WordOffers::~WordOffers() {
    if (work_) work_->join();
}

bool WordOffers::follow(bool wanted, bool waits) {
    if (wanted && !std::exchange(was_begun_, true)) {
        std::error_code none;
        if (!std::filesystem::is_directory(folder_, none)) {
            was_begun_ = false; // it may come yet
            return false;
        }
        work_ = std::make_unique<BackgroundWork>([this] {
            read_ = language::Thesaurus::read(folder_.string());
            is_read_ = true;
            return Portion::ended;
        });
        work_->wake();
    }
    if (!work_) return false;
    if (waits) {
        work_->help();
        work_->join();
    }
    if (!is_read_) return false;
    work_.reset();
    if (*read_)
        thesaurus_ = **std::move(read_);
    else
        trouble_ = read_->error();
    read_.reset();
    answered_ = {};
    return true;
}

const std::vector<std::string>& WordOffers::offers(const Tokenizer& reader, unsigned long version,
                                                   const std::string& word) const {
    if (answered_.version != version) answered_ = Answered(), answered_.version = version;
    if (thesaurus_ && !answered_.known)
        answered_.known = thesaurus_->known(vocabulary_words(reader.vocabulary()));
    const auto [found, is_new] = answered_.offers.try_emplace(word);
    std::vector<std::string>& offers = found->second;
    if (!is_new || !reader.is_word_level() || reader.is_characters()) return offers;
    offers = reader.nearest(word, most_offers);
    const bool is_word = thesaurus_ && thesaurus_->has(word, *answered_.known);
    const std::u32string typed = folded(word);
    const auto is_no_slip = [&](const std::string& near) {
        return edit_distance(typed, folded(near), most_edits + 1) > most_edits
               || (is_word && !thesaurus_->are_of_one_word(word, near, *answered_.known));
    };
    offers.erase(std::remove_if(offers.begin(), offers.end(), is_no_slip), offers.end());
    if (!is_word) return offers;
    for (std::string& like : thesaurus_->instead_of(word, *answered_.known, most_offers))
        if (offers.size() < most_offers && std::find(offers.begin(), offers.end(), like) == offers.end())
            offers.push_back(std::move(like));
    return offers;
}

bool wants_lexicon(const Session& session) {
    if (!session.has_model()) return false;
    if (!session.model().files.source.is_word_level())
        return session.view().show_vocabulary && knows_lexicon(session);
    const std::vector<Piece>& pieces = session.sentence().source;
    return std::any_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return !piece.known; });
}

std::string with_piece_replaced(const Session& session, std::size_t piece, const std::string& by) {
    std::string text = session.question().source;
    const std::vector<Piece>& pieces = session.sentence().source;
    if (piece >= pieces.size()) return text;
    const TypedRange& typed = pieces[piece].typed;
    return text.replace(typed.begin, typed.end - typed.begin, by);
}

} // namespace headlight
