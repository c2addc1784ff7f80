#include "app/session/word_offers.h"
#include "app/session/session.h"
#include "engine/text/unicode.h"
#include "engine/text/words.h"

#include <algorithm>
#include <set>
#include <utility>

namespace headlight {

namespace {

constexpr std::string_view everyday = "everyday-", from_portuguese = "everyday-pt";

std::string model_name(const Session& session) { return session.model().folder.filename().string(); }

// Without classes and further forms: “give/gave/given [thing] to [person]” → “give to”, “o pão/os pães” → “o
// pão”.
std::string first_form(const language::Entry& entry, const std::string& written) {
    std::vector<std::string> classes;
    const std::string text = language::notation::take_names(written, '[', ']', classes);
    if (entry.part == language::Part::verb) { // its first word alone has more
        const std::size_t end = std::min(text.find(' '), text.size());
        std::string form = text.substr(0, std::min(text.find('/'), end));
        for (const std::string& word : language::words_of(text.substr(end))) form += " " + word;
        return form;
    }
    std::string form(language::notation::trimmed(text.substr(0, text.find('/'))));
    const std::size_t bar = form.find('|');
    if (bar == form.npos) return form;
    // “o|a dentista”: the word stands behind both articles.
    const std::string other = form.substr(bar + 1);
    form.resize(bar);
    if (form == "o" || form == "os") form += other.substr(std::min(other.find(' '), other.size()));
    return form;
}

std::string without_article(const std::string& shown) {
    for (const std::string_view article : {"o ", "a ", "os ", "as ", "the "})
        if (shown.starts_with(article)) return shown.substr(article.size());
    return shown;
}

bool is_listed(const language::Entry& entry, bool portuguese_first) {
    using language::Direction;
    const Direction direction =
        portuguese_first ? Direction::portuguese_to_english : Direction::english_to_portuguese;
    return entry.part != language::Part::contraction && language::serves(entry.arrow, direction);
}

WordList of_lexicon(const language::Lexicon& lexicon, bool portuguese_first) {
    WordList list{.words = {}, .has_translations = true};
    std::set<std::pair<std::string, std::string>> seen; // a verb has a line for each thing that it takes
    for (const language::Entry& entry : lexicon.entries()) {
        if (!is_listed(entry, portuguese_first)) continue;
        ListedWord word{
            first_form(entry, entry.english), first_form(entry, entry.portuguese), {}, {}, {}, {}};
        if (portuguese_first) std::swap(word.shown, word.translation);
        if (!seen.emplace(word.shown, word.translation).second) continue;
        if (entry.part == language::Part::name) word.translation.clear();
        const bool has_article = entry.part == language::Part::noun;
        word.typed = has_article ? without_article(word.shown) : word.shown;
        word.theme = entry.file.substr(0, entry.file.find('.'));
        list.words.push_back(std::move(word));
    }
    return list;
}

// One of its words begins so.
bool has_prefix(const std::u32string& text, const std::u32string& part) {
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
        if (at == 0 || !is_word_character(text[at - 1])) return true;
    return false;
}

WordList of_vocabulary(const Vocabulary& vocabulary) {
    WordList list;
    for (Index id = 0; id < vocabulary.size(); ++id) {
        if (vocabulary.is_special(TokenId(id))) continue;
        const std::string& token = vocabulary.token(TokenId(id));
        list.words.push_back({token, {}, token, {}, {}, {}});
    }
    std::sort(list.words.begin(), list.words.end(),
              [](const ListedWord& a, const ListedWord& b) { return a.shown < b.shown; });
    return list;
}

} // namespace

bool knows_lexicon(const Session& session) {
    return !session.model().files.source.is_word_level() && model_name(session).starts_with(everyday);
}

WordList word_list(const Session& session) {
    const language::Thesaurus* words = knows_lexicon(session) ? session.word_offers().thesaurus() : nullptr;
    WordList list = words ? of_lexicon(words->lexicon(), model_name(session).starts_with(from_portuguese))
                          : of_vocabulary(session.model().files.source.vocabulary());
    for (ListedWord& word : list.words) {
        word.folded = folded(word.typed);
        word.folded_translation = folded(without_article(word.translation));
    }
    return list;
}

std::vector<std::size_t> WordList::with(std::string_view request) const {
    const std::u32string part = folded(request);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (has_prefix(words[i].folded, part) || has_prefix(words[i].folded_translation, part))
            found.push_back(i);
    return found;
}

std::optional<std::size_t> WordList::meant(std::string_view request,
                                           const std::vector<std::size_t>& found) const {
    if (found.empty()) return {};
    const std::u32string part = folded(request);
    if (part.empty()) return 0;
    const auto first = [&](auto is_meant) {
        return std::size_t(
            std::find_if(found.begin(), found.end(), [&](std::size_t i) { return is_meant(words[i]); })
            - found.begin());
    };
    std::size_t place =
        first([&](const ListedWord& w) { return w.folded == part || w.folded_translation == part; });
    if (place == found.size()) place = first([&](const ListedWord& w) { return w.folded.starts_with(part); });
    return place == found.size() ? 0 : place;
}

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
