#include "engine/io/json_reader.h"

#include <limits>
#include <optional>

namespace headlight {

namespace {

using nlohmann::json;

// Takes the parser's events: into a tree, or into rows while inside one of the places.
class RowsHandler : public nlohmann::json_sax<json> {
public:
    RowsHandler(std::string_view text, const std::string& file, std::map<std::string, JsonRows>& rows)
        : text_(text), file_(file), rows_(rows) {}

    bool null() override { return scalar(nullptr); }
    bool boolean(bool value) override { return scalar(value); }
    bool number_integer(number_integer_t value) override { return scalar(value); }
    bool number_unsigned(number_unsigned_t value) override { return scalar(value); }
    bool number_float(number_float_t value, const string_t&) override { return scalar(value); }
    bool string(string_t& value) override { return scalar(std::move(value)); }
    bool binary(binary_t&) override { return false; } // there is none in texts
    bool start_object(std::size_t) override { return start(json::object()); }
    bool start_array(std::size_t) override { return start(json::array()); }
    bool end_object() override { return end(); }
    bool end_array() override { return end(); }

    bool key(string_t& name) override {
        if (list_ == nullptr) {
            if (open_.back()->contains(name) && !error_)
                error_ = Error{"error.json_key_twice", {file_, name}};
            key_ = std::move(name);
        } else if (inside_ == 0) {
            row_ = {};
            row_.first = std::move(name);
        }
        return true;
    }

    bool parse_error(std::size_t byte, const std::string&, const json::exception& fault) override {
        constexpr int number_too_large = 406;
        error_ = fault.id == number_too_large ? Error{"error.json_number", {file_}}
                                              : json_syntax_error(text_, file_, byte);
        return false;
    }

    json& root() { return root_; }
    const std::optional<Error>& error() const { return error_; }

private:
    bool scalar(json value) {
        if (list_ == nullptr) {
            add(std::move(value));
        } else if (inside_ > 0) {
            add_to_row(value);
        } else {
            std::string name = std::move(row_.first);
            row_ = {};
            items_ = 0;
            is_odd_ = false;
            if (!list_is_object_) {
                add_to_row(value);
                row_.shape = value.is_string() ? JsonRow::Shape::text : JsonRow::Shape::other;
            } else {
                row_.first = std::move(name);
                set_whole(value);
            }
            list_->push_back(std::move(row_));
        }
        return true;
    }

    void set_whole(const json& value) {
        const bool fits =
            value.is_number_integer()
            && (!value.is_number_unsigned()
                || value.get<std::uint64_t>() <= std::uint64_t(std::numeric_limits<std::int64_t>::max()));
        row_.shape = fits ? JsonRow::Shape::whole : JsonRow::Shape::other;
        if (fits) row_.whole = value.get<std::int64_t>();
        row_.second = fits ? std::string() : quoted(value);
    }

    // The next value of a row that is a list; two make it whole.
    void add_to_row(const json& value) {
        const int place = items_++;
        if (place == 0 && value.is_string()) {
            row_.first = value.get<std::string>();
        } else if (place == 1 && value.is_string()) {
            row_.second = value.get<std::string>();
            row_.shape = JsonRow::Shape::texts;
        } else if (place == 1 && value.is_number()) {
            row_.score = value.get<double>();
            row_.shape = JsonRow::Shape::scored;
        } else {
            is_odd_ = true;
        }
        if (is_odd_) {
            row_.shape = JsonRow::Shape::other;
            row_.second = quoted(value);
        }
    }

    bool start(json container) {
        if (list_ != nullptr) {
            if (inside_++ == 0) {
                is_odd_ = list_is_object_ || container.is_object();
                items_ = 0;
                if (!list_is_object_) row_ = {};
            } else {
                is_odd_ = true;
            }
            return true;
        }
        const bool is_object = container.is_object();
        json* place = add(std::move(container));
        path_.push_back(path_.empty() ? std::string() : path_.back() + "/" + key_);
        open_.push_back(place);
        const auto found = rows_.find(path_.back());
        if (found != rows_.end()) {
            list_ = &found->second;
            list_is_object_ = is_object;
            inside_ = 0;
        }
        return true;
    }

    bool end() {
        if (list_ != nullptr && inside_ > 0) {
            if (--inside_ == 0) {
                if (is_odd_ || items_ != 2) row_.shape = JsonRow::Shape::other;
                list_->push_back(std::move(row_));
                row_ = {};
                items_ = 0;
                is_odd_ = false;
            }
            return true;
        }
        list_ = nullptr;
        open_.pop_back();
        path_.pop_back();
        return true;
    }

    json* add(json value) {
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        json& parent = *open_.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            key_ = std::to_string(parent.size() - 1);
            return &parent.back();
        }
        json& place = parent[key_];
        place = std::move(value);
        return &place;
    }

    std::string_view text_;
    const std::string& file_;
    std::map<std::string, JsonRows>& rows_;
    json root_;
    std::vector<json*> open_;       // containers, the innermost last
    std::vector<std::string> path_; // of each
    std::string key_;
    JsonRows* list_ = nullptr; // where rows go; null: into the tree
    bool list_is_object_ = false;
    int inside_ = 0; // how deep in an entry
    int items_ = 0;  // of the entry so far
    bool is_odd_ = false;
    JsonRow row_;
    std::optional<Error> error_;
};

} // namespace

// By events too: a tree that is built with a watch on its keys takes the square of its length.
Result<json> parse_json(std::string_view text, const std::string& file) {
    std::map<std::string, JsonRows> none;
    return parse_json(text, file, none);
}

Result<json> parse_json(std::string_view text, const std::string& file,
                        std::map<std::string, JsonRows>& rows) {
    if (const auto error = json_too_deep(text, file)) return *error;
    RowsHandler handler(text, file, rows);
    json::sax_parse(text.begin(), text.end(), &handler);
    if (handler.error()) return *handler.error();
    return std::move(handler.root());
}

} // namespace headlight
