#include "app/session/changes.h"

#include "app/session/command.h"
#include "app/session/view.h"
#include "engine/inspect/measures/measures.h"
#include "engine/inspect/region_cells.h"
#include "engine/tensor/random.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

using Words = std::vector<std::string>;
using Edits = std::vector<Edit>;
using Kind = Edit::Kind;

constexpr Real infinity = std::numeric_limits<Real>::infinity();

struct Context {
    const LoadedModel& model;
    const Graph* second;

    const Graph& graph() const { return model.graph(); }
};

struct Form {
    ChangeForm written;
    std::size_t place; // how many of the first words say what is changed; the others say how
    Result<Edits> (*edits)(const Words& words, const Context& context); // words[0] is the form's name
};

const Form& form_of(std::string_view name);

Error usage(const Words& words) {
    const ChangeForm& form = form_of(words[0]).written;
    return Error{"error.command_usage",
                 {"change " + std::string(form.name) + " " + std::string(form.arguments)}};
}

std::string list_of(const Words& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

// --- arguments ---------------------------------------------------------------------------------------------

// A row, a column, a head: from 0. −1 (everything) for "all", where that may be said.
Result<Index> index_of(const std::string& word, bool or_all = false) {
    if (or_all && word == "all") return Index(-1);
    const Result<long> number = whole_number_of(word);
    if (!number) return number.error();
    if (*number < 0) return Error{"error.counts_from_0", {word}};
    return Index(*number);
}

// Any number, infinite ones and NaN too: what happens then is worth seeing.
Result<Real> value_of(const std::string& word) {
    double number = 0;
    const char* first = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [end, fault] = std::from_chars(first, word.data() + word.size(), number);
    if (fault == std::errc::invalid_argument || end != word.data() + word.size()) return not_a_number(word);
    if (std::abs(number) > double(std::numeric_limits<Real>::max())) return number > 0 ? infinity : -infinity;
    return Real(number);
}

Result<const Node*> node_of(const std::string& path, const Context& context) {
    if (const Node* node = context.graph().find(path)) return node;
    if (small_page_of(path) || is_measure(path)) return Error{"error.change_of_page", {path}};
    return no_such_value(path, &context.model);
}

bool holds_tokens(const Node& node) { return node.is(ValueKind::tokens) || node.is(ValueKind::choice); }

// Token ids choose rows of a table: only those that are there.
Result<Done> check_token(const Node& node, Real value, const Context& context) {
    if (!holds_tokens(node)) return Done{};
    const Index words = context.model.map().words_of(node);
    if (value >= 0 && value < Real(words) && value == std::floor(value)) return Done{};
    return Error{"error.not_a_token_id", {node.path, std::to_string(words - 1)}};
}

Edit silence(const Node& node, Index batch = -1) { return {node.path, {batch, -1, -1}, Kind::scale, 0}; }

Edit copy(const Node& to, const Node& from) {
    Edit edit{to.path, {}};
    edit.from = from.path;
    return edit;
}

// --- head --------------------------------------------------------------------------------------------------

// The pattern of the second sentence, row by row; a key that only this sentence has is not looked at.
Result<Edit> pattern_of_second(const Node& weights, Index head, const Context& context) {
    if (context.second == nullptr) return Error{"error.no_second_sentence", {}};
    const Tensor& theirs = context.second->find(weights.path)->value;
    Edit edit{weights.path, {head, -1, -1}};
    edit.values =
        KeptTensor({head < 0 ? theirs.batch() : 1, theirs.rows(), context.model.config().max_length});
    for (Index b = 0; b < edit.values.shape.batch; ++b)
        for (Index r = 0; r < theirs.rows(); ++r)
            std::copy_n(theirs.row(std::max<Index>(head, 0) + b, r), theirs.columns(), &edit.values(b, r, 0));
    return edit;
}

Result<Edits> edits_of_head(const Words& words, const Context& context) {
    if (words.size() < 4) return usage(words);
    const Attention* attention = context.model.map().attention(words[1]);
    if (context.model.map().attentions.empty()) return Error{"error.no_attention", {context.model.name}};
    if (!attention)
        return Error{"error.no_such_attention", {words[1], list_of(attentions_of(context.model.map()))}};
    const Result<Index> head = index_of(words[2], true);
    if (!head) return head.error();
    const Index most = attention->heads - 1;
    const Node &weights = *attention->weights, &heads = *attention->mixed;
    if (*head > most) return Error{"error.out_of_range", {"change head", "0", std::to_string(most)}};
    const std::string& how = words[3];
    if (how == "scale" && words.size() == 5) {
        const Result<Real> by = value_of(words[4]);
        if (!by) return by.error();
        return Edits{{heads.path, {*head, -1, -1}, Kind::scale, *by}};
    }
    if (words.size() != 4) return usage(words);
    if (how == "silence") return Edits{silence(heads, *head)};
    if (how == "uniform")
        return Edits{silence(attention->unmasked(), *head)}; // equal scores; the mask still holds
    if (how == "other") {
        Result<Edit> edit = pattern_of_second(weights, *head, context);
        if (!edit) return edit.error();
        return Edits{*std::move(edit)};
    }
    Edit edit{weights.path, {*head, -1, -1}};
    if (how == "identity") edit.diagonal = 0;
    if (how == "previous") edit.diagonal = -1;
    if (how == "next") edit.diagonal = 1;
    if (!edit.diagonal) return usage(words);
    return Edits{edit};
}

// --- remove ------------------------------------------------------------------------------------------------

// The edits that remove what is said, wherever the model has it.
Edits all_removals(const std::string& what, const ModelMap& map) {
    Edits edits;
    if (what == "scaling")
        for (const Attention& attention : map.attentions)
            if (attention.scaled) edits.push_back(copy(*attention.scaled, attention.scaled->input(0)));
    if (what == "attention")
        for (const Attention& attention : map.attentions) edits.push_back(silence(*attention.output));
    if (what == "positions")
        for (const Stream& stream : map.streams)
            if (stream.positions) edits.push_back(copy(*stream.embedded, stream.embedded->input(0)));
    if (what == "residual")
        for (const ResidualSum& sum : map.sums) edits.push_back(copy(*sum.sum, sum.sublayer()));
    if (what == "norm")
        for (const Node* norm : map.norms) edits.push_back(copy(*norm, norm->input(0)));
    if (what == "ffn")
        for (const FeedForward& network : map.feed_forwards) edits.push_back(silence(*network.output));
    if (what == "layer")
        for (const Layer& layer : map.layers) edits.push_back(copy(*layer.output, *layer.input));
    return edits;
}

Result<Edits> edits_of_removal(const Words& words, const Context& context) {
    static const Words removable = {"scaling", "positions", "residual", "norm", "ffn", "attention", "layer"};
    if (words.size() < 2 || words.size() > 3
        || std::find(removable.begin(), removable.end(), words[1]) == removable.end())
        return usage(words);
    const std::string where = words.size() == 3 ? words[2] : "all";
    Edits edits = all_removals(words[1], context.model.map());
    if (where != "all") std::erase_if(edits, [&](const Edit& edit) { return !lies_in(edit.path, where); });
    if (edits.empty()) return Error{"error.nothing_to_remove", {words[1], where}};
    return edits;
}

// --- stop
// ----------------------------------------------------------------------------------------------------

// What passes after an earlier layer goes on as if it came from the last one: the logit lens as the model's
// own computation, and of a stream that is read DecoderLens.
Result<Edits> edits_of_stop(const Words& words, const Context& context) {
    if (words.size() != 3) return usage(words);
    const ModelMap& map = context.model.map();
    const Stream* stream = map.stream(words[1]);
    if (!stream) {
        Words names;
        for (const Stream& one : map.streams) names.push_back(one.name);
        if (names.empty()) return Error{"error.reads_no_words", {context.model.name}};
        return Error{"error.no_such_stream", {words[1], list_of(names)}};
    }
    const std::vector<const Node*> passages = map.passages(*stream);
    const Result<Index> stop = index_of(words[2]);
    if (!stop) return stop.error();
    if (passages.size() < 2) return Error{"error.nothing_to_remove", {"layer", words[1]}};
    if (*stop + 1 >= Index(passages.size())) // the last is where it ends anyway
        return Error{"error.out_of_range", {"change stop", "0", std::to_string(passages.size() - 2)}};
    return Edits{copy(*passages.back(), *passages[std::size_t(*stop)])};
}

// --- cells, rows, whole values -----------------------------------------------------------------------------

Result<Edits> edits_of_cell(const Words& words, const Context& context) {
    if (words.size() != 5 && words.size() != 6) return usage(words);
    const Result<const Node*> node = node_of(words[1], context);
    if (!node) return node.error();
    Index place[3] = {0, 0, 0}; // without a head: the first of the batch
    for (std::size_t i = 2; i + 1 < words.size(); ++i) {
        const Result<Index> index = index_of(words[i]);
        if (!index) return index.error();
        place[4 - words.size() + i] = *index;
    }
    const Result<Real> value = value_of(words.back());
    if (!value) return value.error();
    if (const Result<Done> fits = check_token(**node, *value, context); !fits) return fits.error();
    return Edits{{(*node)->path, {place[0], place[1], place[2]}, Kind::replace, *value}};
}

Result<Edits> edits_of_row(const Words& words, const Context& context) {
    if (words.size() != 4) return usage(words);
    const Result<const Node*> node = node_of(words[1], context);
    if (!node) return node.error();
    const Result<Index> row = index_of(words[2]), from_row = index_of(words[3]);
    if (!row) return row.error();
    if (!from_row) return from_row.error();
    Edit edit = copy(**node, **node);
    edit.region.row = *row;
    edit.from_region.row = *from_row;
    return Edits{edit};
}

Result<Edits> edits_of_scale(const Words& words, const Context& context) {
    if (words.size() != 3) return usage(words);
    const Result<const Node*> node = node_of(words[1], context);
    if (!node) return node.error();
    const Result<Real> by = value_of(words[2]);
    if (!by) return by.error();
    if (holds_tokens(**node)) return Error{"error.tokens_do_not_scale", {(*node)->path}};
    return Edits{{(*node)->path, {}, Kind::scale, *by}};
}

Result<Edits> edits_of_mask(const Words& words, const Context& context) {
    if (words.size() != 5 || (words[4] != "allow" && words[4] != "forbid")) return usage(words);
    const Node* mask = context.graph().find(words[1]);
    if (!mask || !mask->is(ValueKind::mask)) {
        Words masks;
        for (const Node& node : context.graph().nodes())
            if (node.is(ValueKind::mask)) masks.push_back(node.path);
        if (masks.empty()) return Error{"error.no_masks", {context.model.name}};
        return Error{"error.no_such_mask", {words[1], list_of(masks)}};
    }
    const Result<Index> row = index_of(words[2], true), column = index_of(words[3], true);
    if (!row) return row.error();
    if (!column) return column.error();
    return Edits{{mask->path, {-1, *row, *column}, Kind::replace, words[4] == "allow" ? Real(0) : -infinity}};
}

// --- the second sentence -----------------------------------------------------------------------------------

Result<Edits> edits_of_patch(const Words& words, const Context& context) {
    if (words.size() != 3 && words.size() != 4) return usage(words);
    const Result<const Node*> node = node_of(words[1], context);
    if (!node) return node.error();
    const Result<Index> row = index_of(words[2], true), from_row = index_of(words.back(), true);
    if (!row) return row.error();
    if (!from_row) return from_row.error();
    if ((*row < 0) != (*from_row < 0)) return usage(words);
    if (context.second == nullptr) return Error{"error.no_second_sentence", {}};
    const Tensor& theirs = context.second->find((*node)->path)->value;
    Edit edit{(*node)->path, {-1, *row, -1}};
    if (*row < 0) {
        edit.values = KeptTensor(theirs);
        return Edits{edit};
    }
    if (*from_row >= theirs.rows())
        return Error{"error.no_such_cell", {(*node)->path, to_string(theirs.shape())}};
    edit.values = KeptTensor({theirs.batch(), 1, theirs.columns()});
    for (Index b = 0; b < theirs.batch(); ++b)
        std::copy_n(theirs.row(b, *from_row), theirs.columns(), &edit.values(b, 0, 0));
    return Edits{edit};
}

// --- weights -----------------------------------------------------------------------------------------------

// As untrained: uniform in ±√(6 / (in + out)), Glorot & Bengio 2010.
KeptTensor random_weights(const Shape& shape, std::uint64_t seed) {
    KeptTensor weights(shape);
    Random random(seed);
    const double limit = std::sqrt(6 / double(shape.rows + shape.columns));
    for (Real& w : weights.numbers) w = Real(random.uniform(-limit, limit));
    return weights;
}

Result<Edits> edits_of_weight(const Words& words, const Context& context) {
    if (words.size() != 3 && !(words.size() == 4 && words[2] == "random")) return usage(words);
    const Result<const Node*> found = node_of(words[1], context);
    if (!found) return found.error();
    const Node& weight = **found;
    if (!weight.is(ValueKind::parameter)) return Error{"error.not_a_weight", {weight.path}};
    if (words[2] == "zero") return Edits{silence(weight)};
    Edit edit{weight.path, {}};
    const Shape shape = weight.op->shape(weight);
    if (words[2] == "identity") {
        if (shape.rows == 1) return Error{"error.not_a_matrix", {weight.path, to_string(shape)}};
        edit.diagonal = 0;
        return Edits{edit};
    }
    if (words[2] != "random") return usage(words);
    const Result<Index> seed = words.size() == 4 ? index_of(words[3]) : Index(1);
    if (!seed) return seed.error();
    edit.values = random_weights(shape, std::uint64_t(*seed));
    return Edits{edit};
}

// --- all of them -------------------------------------------------------------------------------------------

const std::vector<Form>& forms() {
    static const std::vector<Form> all = {
        {{"head", "ATTENTION HEAD|all silence|scale X|uniform|identity|previous|next|other"},
         3,
         edits_of_head},
        {{"remove", "scaling|positions|residual|norm|ffn|attention|layer [PLACE|all]"}, 3, edits_of_removal},
        {{"stop", "STREAM STOP"}, 2, edits_of_stop},
        {{"cell", "PATH [HEAD] ROW COLUMN VALUE"}, 0, edits_of_cell},
        {{"row", "PATH ROW FROM_ROW"}, 3, edits_of_row},
        {{"mask", "PATH ROW|all COLUMN|all allow|forbid"}, 4, edits_of_mask},
        {{"patch", "PATH ROW|all [FROM_ROW]"}, 3, edits_of_patch},
        {{"scale", "PATH X"}, 2, edits_of_scale},
        {{"weight", "PATH zero|identity|random [SEED]"}, 2, edits_of_weight},
    };
    return all;
}

const Form& form_of(std::string_view name) {
    return *std::find_if(forms().begin(), forms().end(),
                         [&](const Form& f) { return f.written.name == name; });
}

bool is_form(const std::string& name) {
    return std::any_of(forms().begin(), forms().end(), [&](const Form& f) { return f.written.name == name; });
}

} // namespace

const std::vector<ChangeForm>& change_forms() {
    static const std::vector<ChangeForm> written = [] {
        std::vector<ChangeForm> list;
        for (const Form& form : forms()) list.push_back(form.written);
        return list;
    }();
    return written;
}

Result<std::vector<Edit>> edits_of(std::string_view change, const LoadedModel& model, const Graph* second) {
    const Words words = words_of(change);
    if (words.empty() || !is_form(words[0])) {
        Words names;
        for (const ChangeForm& form : change_forms()) names.emplace_back(form.name);
        return Error{"error.no_such_change_form", {words.empty() ? "" : words[0], list_of(names)}};
    }
    return form_of(words[0]).edits(words, {model, second});
}

Result<Done> check_reach(const std::vector<Edit>& edits, const Graph& graph) {
    for (const Edit& edit : edits) {
        const Node* node = graph.find(edit.path);
        const Node* from = edit.from.empty() ? node : graph.find(edit.from);
        if (node && from && edit.region.fits(node->shape()) && edit.from_region.fits(from->shape()))
            return Done{};
    }
    const Node* node = graph.find(edits.front().path);
    return Error{"error.no_such_cell", {edits.front().path, node ? to_string(node->shape()) : ""}};
}

std::string place_of(std::string_view change) {
    const Words words = words_of(change);
    if (words.empty() || !is_form(words[0])) return std::string(change);
    const std::size_t fixed = form_of(words[0]).place;
    const std::size_t count = fixed > 0 ? fixed : words.size() - 1; // a cell: all but its number
    std::string place;
    for (std::size_t i = 0; i < std::min(count, words.size()); ++i) place += words[i] + " ";
    return place;
}

} // namespace headlight
