#include "engine/io/tokenizer_part.h"

#include "engine/base/lasting.h"

namespace headlight {

using nlohmann::json;

TokenizerPart TokenizerPart::operator[](const char* key) const {
    static const json& nothing = lasting(json());
    const std::string name = name_.empty() ? key : name_ + "." + key;
    if (!value_.is_object()) return {nothing, name, faults_};
    const auto found = value_.find(key);
    return {found == value_.end() ? nothing : *found, name, faults_};
}

TokenizerPart TokenizerPart::operator[](std::size_t place) const {
    return {value_[place], name_ + "[" + std::to_string(place) + "]", faults_};
}

bool TokenizerPart::flag(bool otherwise) const {
    if (value_.is_boolean()) return value_.get<bool>();
    if (!is_missing()) refuse();
    return otherwise;
}

std::string TokenizerPart::text(const std::string& otherwise) const {
    if (value_.is_string()) return value_.get<std::string>();
    if (!is_missing()) refuse();
    return otherwise;
}

std::size_t TokenizerPart::count(std::size_t otherwise, std::size_t most) const {
    if (is_missing()) return otherwise;
    if (value_.is_number_unsigned() && value_.get<std::uint64_t>() <= most) return value_.get<std::size_t>();
    refuse();
    return otherwise;
}

std::string TokenizerPart::type() const {
    const TokenizerPart type = (*this)["type"];
    if (type.value().is_string() && !type.value().get<std::string>().empty())
        return type.value().get<std::string>();
    refuse();
    return {};
}

std::optional<Pattern> TokenizerPart::pattern() const {
    const TokenizerPart text = (*this)["String"], regex = (*this)["Regex"];
    if (text.value().is_string() && !text.text().empty()) return Pattern::text(text.text());
    if (!regex.value().is_string()) {
        refuse();
        return std::nullopt;
    }
    const Result<Pattern> pattern = Pattern::regex(regex.text(), faults_.file());
    if (!pattern) {
        faults_.refuse(pattern.error());
        return std::nullopt;
    }
    return *pattern;
}

} // namespace headlight
