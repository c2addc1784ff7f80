#include "app/session/link.h"

#include "app/session/session.h"
#include "engine/text/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>
#include <vector>

namespace headlight {

namespace {

struct Alias {
    std::string_view key, command;
};
constexpr Alias aliases[] = {{"text", "source"}, {"at", "goto"}, {"held", "select"}};

// What others depend on comes first, however it was written; what leads elsewhere last.
int order_of(std::string_view command) {
    constexpr std::array<std::string_view, 3> first = {"model", "source", "target"};
    const auto found = std::find(first.begin(), first.end(), command);
    if (found != first.end()) return int(found - first.begin());
    return command == "room" ? 5 : command == "select" ? 4 : 3;
}

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'
           || c == '.' || c == '/' || c == ':' || c == ',';
}

// Blanks as plus signs, what is no plain letter by its bytes. At the end of a value also points: what makes
// an address of a text leaves those out.
std::string escaped(std::string_view value) {
    constexpr char digits[] = "0123456789ABCDEF";
    std::string text;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const char c = value[i];
        const bool is_last = i + 1 == value.size();
        if (c == ' ')
            text += '+';
        else if (is_plain(c) && !(is_last && (c == '.' || c == ',' || c == ':')))
            text += c;
        else
            (text += '%') += {digits[static_cast<unsigned char>(c) >> 4], digits[c & 15]};
    }
    return text;
}

std::optional<std::string> unescaped(std::string_view value) {
    std::string text;
    for (std::size_t i = 0; i < value.size(); ++i) {
        char c = value[i] == '+' ? ' ' : value[i];
        if (c == '%') {
            unsigned byte = 0;
            const char* first = value.data() + i + 1;
            if (i + 2 >= value.size() || std::from_chars(first, first + 2, byte, 16).ptr != first + 2)
                return {};
            c = char(byte);
            i += 2;
        }
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return {}; // a line within a line
        text += c;
    }
    return text;
}

// "03" of "03-attention-without-parameters".
std::string number_of_lesson(std::string_view name) {
    const std::size_t end = name.find('-');
    const std::string_view number = name.substr(0, end);
    const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == number.npos;
    return is_number && end != name.npos ? std::string(number) : std::string();
}

std::string written(std::string_view key, std::string_view value) {
    return std::string(key) + (value.empty() ? "" : "=" + escaped(value));
}

std::string written_line(std::string_view line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    std::string_view key = line.substr(0, end);
    for (const Alias& alias : aliases)
        if (alias.command == key) key = alias.key;
    return written(key, trim(line.substr(end)));
}

Result<Done> check_limits(const Link& link) {
    int models = 0, lines = 0;
    const std::string_view all = link.lines;
    for (std::size_t at = 0; at < all.size(); ++lines) {
        const std::size_t end = std::min(all.find('\n', at), all.size());
        models += all.substr(at, end - at).starts_with("model "); // each is read from its files
        at = end + 1;
    }
    if (all.size() > longest_link || lines > most_lines_of_a_link || models > 1)
        return Error{"error.link_too_long", {}};
    return Done{};
}

} // namespace

bool looks_like_link(std::string_view text) {
    text = trim(text);
    const std::size_t hash = text.find('#');
    if (hash == text.npos || text.find_first_of(" \t\n") != text.npos) return false;
    const std::string_view page = text.substr(0, hash), first = text.substr(hash + 1);
    const std::size_t end = std::min(first.find('='), first.size());
    const bool has_key = end > 0 && end < first.size()
                         && std::all_of(first.begin(), first.begin() + std::ptrdiff_t(end),
                                        [](char c) { return c >= 'a' && c <= 'z'; });
    return has_key && (page.empty() || page.find(':') != page.npos); // https://…, file:///…, headlight:
}

Result<Link> read_link(std::string_view address) {
    address = trim(address);
    if (address.size() > longest_link) return Error{"error.link_too_long", {}};
    const std::size_t hash = std::min(address.find('#'), address.size());
    Link link;
    link.page = std::string(address.substr(0, hash));
    if (link.page.find(':') == link.page.npos || link.page.starts_with("headlight:")) link.page.clear();
    std::vector<std::pair<int, std::string>> lines;
    for (std::size_t at = hash + 1; at < address.size();) {
        const std::size_t end = std::min(address.find('&', at), address.size());
        const std::string_view part = address.substr(at, end - at);
        at = end + 1;
        if (part.empty()) continue;
        const std::size_t equals = std::min(part.find('='), part.size());
        std::optional<std::string> key = unescaped(part.substr(0, equals)),
                                   value = unescaped(part.substr(std::min(equals + 1, part.size())));
        if (!key || !value || key->empty()) return Error{"error.link_damaged", {}};
        if (*key == "lesson"
            && value->find(' ') == value->npos) { // else the page of that name, and what stands there
            link.lesson = *value;
        } else if (*key == "card") {
            const Result<long> card = whole_number_of(*value);
            if (!card || *card < 1) return Error{"error.link_damaged", {}};
            link.card = *card;
        } else if (*key == "lang") {
            link.language = *value;
        } else {
            for (const Alias& alias : aliases)
                if (alias.key == *key) key = alias.command;
            lines.emplace_back(order_of(*key), *key + (value->empty() ? "" : " " + *value));
        }
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [place, line] : lines) link.lines += line + "\n";
    if (const Result<Done> can = check_limits(link); !can) return can.error();
    return link;
}

std::string link_of(const Session& session) {
    if (!session.opened().has_model()) return "#";
    std::string link;
    const auto add = [&](const std::string& part) { link += (link.empty() ? "#" : "&") + part; };
    constexpr std::string_view of_lesson = "homework lesson ", of_card = "homework card ";
    const std::vector<std::string> lines = session.as_commands();
    std::string lesson, card = "1";
    for (const std::string& line : lines) {
        if (line.starts_with(of_lesson)) lesson = number_of_lesson(line.substr(of_lesson.size()));
        if (line.starts_with(of_card)) card = line.substr(of_card.size());
    }
    if (!lesson.empty()) {
        add(written("lesson", lesson));
        add(written("card", card));
    }
    if (!lesson.empty() || session.strings().language() != "en")
        add(written("lang", session.strings().language()));
    const std::string first = "goto " + session.opened().model().story.front().path();
    for (const std::string& line : lines) {
        const bool is_said = !lesson.empty() && !line.starts_with("select "); // the card sets the rest up
        if (is_said || line.starts_with("homework ") || line == "room explore" || line == first) continue;
        add(written_line(line));
    }
    return link;
}

Result<Done> follow_link(Session& session, const Link& link) {
    const std::string name = session.strings().text("link.name");
    const auto run = [&](const std::string& line) { return session.execute(line); };
    if (!link.language.empty() && session.strings().speaks(link.language))
        (void)run("language " + link.language);
    if (link.lesson.empty()) {
        if (const Result<Done> done = session.replay(link.lines, name, longest_following); !done) {
            // A link has no lines that anybody has seen.
            const Error& error = done.error();
            const bool is_of_line = error.key == "error.script_line" && error.arguments.size() == 3;
            return is_of_line ? Error{"error.link_leads_nowhere", {error.arguments[2]}} : error;
        }
        if (session.view().teaching.on) (void)run("lesson close");
    } else {
        if (!run("lesson open " + link.lesson)) return Error{"error.link_no_lesson", {link.lesson}};
        // What a card says may stand on what those before it have set up.
        for (long card = 1; card <= link.card; ++card)
            if (const Result<Done> done = run("lesson card " + std::to_string(card)); !done) return done;
        for (std::size_t at = 0; at < link.lines.size();) {
            const std::size_t end = link.lines.find('\n', at);
            const std::string line = link.lines.substr(at, end - at);
            at = end + 1;
            const Result<Done> can = session.commands().check_replayable(line);
            if (const Result<Done> done = can ? run(line) : can; !done) return done;
        }
    }
    session.dismiss_notice(); // of what there was before
    (void)run("lesson door off");
    session.remember_page(link.page);
    return Done{};
}

void add_link_commands(CommandRegistry& commands, const Session& session, View& view) {
    view.page = [] {
        const char* page = std::getenv("HEADLIGHT_PAGE");
        return std::string(page ? page : "");
    }();
    commands.add_with_model("copy", {"embed"}, [&](const Arguments&) -> Result<Done> {
        if (view.page.empty()) return Error{"error.link_no_page", {}};
        std::string address =
            view.page + "?embed" + link_of(session); // in the language in which it was chosen
        if (address.find("&lang=") == address.npos && address.find("#lang=") == address.npos)
            address += "&lang=" + session.strings().language();
        for (std::size_t at = 0; (at = address.find('&', at)) != address.npos; at += 5)
            address.replace(at, 1, "&amp;");
        view.asking.copied = "<iframe src=\"" + address
                             + "\" title=\"Headlight\" width=\"100%\" height=\"600\" loading=\"lazy\" "
                               "allow=\"fullscreen\" style=\"border: 0\"></iframe>";
        view.asking.for_clipboard = true;
        constexpr double seconds = 4;
        view.notice = Notice{false, session.strings().text("link.embedded"), seconds};
        return Done{};
    });
    commands.add_with_model("copy", {"link"}, [&](const Arguments&) {
        const bool has_page = !view.page.empty();
        view.asking.copied = (has_page ? view.page : "headlight:") + link_of(session);
        view.asking.for_clipboard = true;
        constexpr double seconds = 6;
        view.notice =
            Notice{false, session.strings().text(has_page ? "link.copied" : "link.copied.desktop"), seconds};
    });
}

} // namespace headlight
