#include "tests/app/picture/xml.h"

#include <cctype>
#include <set>

namespace headlight::test {

namespace {

bool is_entity(const std::string& text, std::size_t at) {
    for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
        if (text.compare(at, std::string(entity).size(), entity) == 0) return true;
    return false;
}

bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == ':' || c == '-' || c == '_';
}

} // namespace

std::string xml_fault(const std::string& text) {
    std::vector<std::string> open;
    int roots = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto at = [&] { return " at byte " + std::to_string(i); };
        if (text[i] == '&' && !is_entity(text, i)) return "a bare &" + at();
        if (static_cast<unsigned char>(text[i]) < 0x20 && !std::isspace(static_cast<unsigned char>(text[i])))
            return "a control character" + at();
        if (text[i] != '<') continue;
        const std::size_t end = text.find('>', i);
        if (end == text.npos) return "a tag without an end" + at();
        std::string tag = text.substr(i + 1, end - i - 1);
        i = end;
        if (tag.starts_with("?")) continue;
        if (tag.starts_with("/")) {
            if (open.empty() || open.back() != tag.substr(1))
                return "</" + tag.substr(1) + " closes nothing" + at();
            open.pop_back();
            continue;
        }
        const bool is_empty = tag.ends_with("/");
        if (is_empty) tag.pop_back();
        std::size_t k = 0;
        while (k < tag.size() && is_name(tag[k])) ++k;
        const std::string name = tag.substr(0, k);
        if (name.empty()) return "a tag without a name" + at();
        std::set<std::string> attributes;
        while (k < tag.size()) {
            while (k < tag.size() && std::isspace(static_cast<unsigned char>(tag[k]))) ++k;
            if (k == tag.size()) break;
            const std::size_t first = k;
            while (k < tag.size() && is_name(tag[k])) ++k;
            if (!attributes.insert(tag.substr(first, k - first)).second) return "an attribute twice" + at();
            if (tag.compare(k, 2, "=\"") != 0) return "an attribute without a value" + at();
            const std::size_t close = tag.find('"', k + 2);
            if (close == tag.npos) return "a value without an end" + at();
            for (std::size_t c = k + 2; c < close; ++c)
                if (tag[c] == '<' || (tag[c] == '&' && !is_entity(tag, c)))
                    return "a bare sign in a value" + at();
            k = close + 1;
        }
        if (open.empty()) ++roots;
        if (!is_empty) open.push_back(name);
    }
    if (!open.empty()) return "<" + open.back() + "> is never closed";
    return roots == 1 ? "" : std::to_string(roots) + " roots";
}

std::vector<std::string> contents_of(const std::string& xml, const std::string& element) {
    std::vector<std::string> all;
    for (std::size_t at = xml.find("<" + element + " "); at != xml.npos;
         at = xml.find("<" + element + " ", at + 1)) {
        const std::size_t begin = xml.find('>', at) + 1;
        std::string text = xml.substr(begin, xml.find("</", begin) - begin);
        for (const auto& [entity, sign] :
             {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
            for (std::size_t k = text.find(entity); k != text.npos; k = text.find(entity, k + 1))
                text.replace(k, std::string(entity).size(), sign);
        all.push_back(text);
    }
    return all;
}

int count_of(const std::string& text, const std::string& what) {
    int count = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + what.size())) ++count;
    return count;
}

} // namespace headlight::test
