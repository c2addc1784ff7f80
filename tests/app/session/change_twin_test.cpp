// Changes against a twin: the whole model as plain loops in double, with each change written into it by hand.
// The twin knows nothing of edits; it reads what the change says in words.
#include "app/session/changes.h"

#include "app/session/command.h"
#include "app/session/what_if.h"
#include "engine/inspect/region_cells.h"
#include "engine/ops/leaves.h"
#include "engine/tensor/random.h"
#include "tests/engine/model/small_model.h"
#include "tests/support/explanation_check.h"
#include "tests/support/naive_transformer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

using namespace headlight;
using namespace headlight::test;

namespace {

using Words = std::vector<std::string>;

constexpr double infinity = std::numeric_limits<double>::infinity();

// --- the changes, by hand ----------------------------------------------------------------------------------

bool is_in(const std::string& path, const std::string& place) {
    return place == "all" || path == place || path.starts_with(place + ".");
}

template <class Change>
Numbers in_head(Numbers x, const std::string& head, Change change) {
    for_each_cell(x.shape, [&](Index h, Index i, Index j) {
        if (head == "all" || std::stol(head) == h) x(h, i, j) = change(i, j, x(h, i, j));
    });
    return x;
}

// A head: silence, scale, and the patterns.
Numbers head_by_hand(const Words& words, const std::string& path, Numbers x) {
    const std::string &attention = words[1], &head = words[2], &how = words[3];
    if (path == attention + ".heads" && how == "silence")
        return in_head(std::move(x), head, [](Index, Index, double) { return 0.0; });
    if (path == attention + ".heads" && how == "scale") {
        const double by = std::stod(words[4]);
        return in_head(std::move(x), head, [&](Index, Index, double y) { return by * y; });
    }
    if (path == attention + ".scaled" && how == "uniform") // equal scores, and the mask after them
        return in_head(std::move(x), head, [](Index, Index, double) { return 0.0; });
    const bool is_pattern = how == "identity" || how == "previous" || how == "next";
    if (path == attention + ".weights" && is_pattern) {
        const Index by = how == "previous" ? -1 : how == "next" ? 1 : 0, last = x.shape.columns - 1;
        return in_head(std::move(x), head, [&](Index i, Index j, double) {
            const Index looked_at = i + by < 0 ? 0 : i + by > last ? last : i + by;
            return j == looked_at ? 1.0 : 0.0;
        });
    }
    return x;
}

// Whether `name` is the last value of a layer, and the value that the layer read.
std::string input_of_layer(const std::string& path, const ModelConfig& config) {
    for (const std::string stack : {"encoder", "decoder"}) {
        const Index layers = stack == "encoder" ? config.encoder_layers : config.decoder_layers;
        const std::string last = std::string(config.norm_position == NormPosition::pre ? ".add" : ".norm")
                                 + (stack == "encoder" ? "2" : "3");
        const std::string embedded = config.positional_encoding != PositionalEncoding::none ? ".embed.output"
                                     : config.scale_embeddings                              ? ".embed.scaled"
                                                                                            : ".embed.tokens";
        for (Index i = 0; i < layers; ++i)
            if (path == stack + "." + std::to_string(i) + last)
                return i == 0 ? stack + embedded : stack + "." + std::to_string(i - 1) + last;
    }
    return {};
}

// What passes after so many layers of a stack.
std::string passage(const std::string& stack, Index stop, const ModelConfig& config) {
    const std::string last = std::string(config.norm_position == NormPosition::pre ? ".add" : ".norm")
                             + (stack == "encoder" ? "2" : "3");
    if (stop == 0) return input_of_layer(stack + ".0" + last, config);
    return stack + "." + std::to_string(stop - 1) + last;
}

// What a residual sum adds to: the value before the sublayer; and what a norm reads.
std::string sublayer_of(const std::string& add_path) {
    const std::string layer = add_path.substr(0, add_path.rfind('.'));
    const char number = add_path.back();
    const bool decodes = layer.starts_with("decoder");
    if (number == '1') return layer + ".self_attn.output";
    return layer + (decodes && number == '2' ? ".cross_attn.output" : ".ffn.output");
}

std::string input_of_norm(const std::string& path, const ModelConfig& config) {
    const std::string layer = path.substr(0, path.rfind('.')), stack = layer.substr(0, layer.find('.'));
    const int number = path.back() - '0';
    if (path.ends_with(".output")) // the final norm
        return stack + "."
               + std::to_string((stack == "encoder" ? config.encoder_layers : config.decoder_layers) - 1)
               + (config.norm_position == NormPosition::pre ? ".add" : ".norm")
               + (stack == "encoder" ? "2" : "3");
    if (config.norm_position == NormPosition::post) return layer + ".add" + std::to_string(number);
    if (number > 1) return layer + ".add" + std::to_string(number - 1);
    const Index i = std::stol(layer.substr(layer.find('.') + 1));
    return input_of_layer(stack + "." + std::to_string(i) + (stack == "encoder" ? ".add2" : ".add3"), config);
}

Numbers removed_by_hand(const Words& words, const std::string& path, Numbers x, const naive::Values& so_far,
                        const ModelConfig& config) {
    const std::string& what = words[1];
    if (!is_in(path, words[2])) return x;
    const std::string name = path.substr(path.rfind('.') + 1);
    if (what == "scaling" && path.ends_with("_attn.scaled"))
        return so_far.at(path.substr(0, path.rfind('.')) + ".scores");
    if (what == "positions" && path.ends_with(".embed.output"))
        return so_far.at(path.substr(0, path.find('.'))
                         + (config.scale_embeddings ? ".embed.scaled" : ".embed.tokens"));
    if (what == "residual" && name.starts_with("add")) return so_far.at(sublayer_of(path));
    const bool final_norm = config.final_norm && (path == "encoder.output" || path == "decoder.output");
    if (what == "norm" && (name.starts_with("norm") || final_norm))
        return so_far.at(input_of_norm(path, config));
    const bool silenced = (what == "ffn" && path.ends_with(".ffn.output"))
                          || (what == "attention" && path.ends_with("_attn.output"));
    if (silenced) return Numbers(x.shape);
    if (what == "layer")
        if (const std::string input = input_of_layer(path, config); !input.empty()) return so_far.at(input);
    return x;
}

Numbers weight_by_hand(const Words& words, Numbers w) {
    if (words[2] == "zero") return Numbers(w.shape);
    if (words[2] == "identity") {
        for_each_cell(w.shape, [&](Index, Index i, Index j) {
            const Index one = i < w.shape.columns ? i : w.shape.columns - 1;
            w(0, i, j) = j == one ? 1 : 0;
        });
        return w;
    }
    Random random(std::uint64_t(std::stol(words[3])));
    const double limit = std::sqrt(6 / double(w.shape.rows + w.shape.columns));
    for (double& number : w.data) number = double(Real(random.uniform(-limit, limit)));
    return w;
}

// A row, or everything, of another sentence's values; what that sentence does not have stays.
Numbers patched_by_hand(const Words& words, Numbers x, const Numbers& theirs) {
    for_each_cell(x.shape, [&](Index h, Index i, Index j) {
        const bool everything = words[2] == "all";
        if (!everything && std::stol(words[2]) != i) return;
        const Index from = everything ? i : std::stol(words.back());
        if (from < theirs.shape.rows && j < theirs.shape.columns) x(h, i, j) = theirs(h, from, j);
    });
    return x;
}

Numbers pattern_by_hand(const Words& words, Numbers x, const Numbers& theirs) {
    for_each_cell(x.shape, [&](Index h, Index i, Index j) {
        if ((words[2] != "all" && std::stol(words[2]) != h) || i >= theirs.shape.rows) return;
        x(h, i, j) = j < theirs.shape.columns ? theirs(h, i, j) : 0;
    });
    return x;
}

Numbers by_hand(const std::string& text, const std::string& path, Numbers x, const Numbers& computed,
                const naive::Values& so_far, const naive::Values& second, const ModelConfig& config) {
    const Words words = words_of(text);
    if (words[0] == "head") {
        if (words[3] == "other" && path == words[1] + ".weights")
            return pattern_by_hand(words, std::move(x), second.at(path));
        return head_by_hand(words, path, std::move(x));
    }
    if (words[0] == "remove") return removed_by_hand(words, path, std::move(x), so_far, config);
    if (words[0] == "stop") {
        const Index layers = words[1] == "encoder" ? config.encoder_layers : config.decoder_layers;
        return path == passage(words[1], layers, config)
                   ? so_far.at(passage(words[1], std::stol(words[2]), config))
                   : x;
    }
    if (path != words[1]) return x;
    if (words[0] == "cell") {
        const Index head = words.size() == 6 ? std::stol(words[2]) : 0;
        x(head, std::stol(words[words.size() - 3]), std::stol(words[words.size() - 2])) =
            std::stod(words.back());
    } else if (words[0] == "row") {
        for_each_cell(x.shape, [&](Index h, Index i, Index j) {
            if (i == std::stol(words[2])) x(h, i, j) = computed(h, std::stol(words[3]), j);
        });
    } else if (words[0] == "mask") {
        for_each_cell(x.shape, [&](Index h, Index i, Index j) {
            const bool here = (words[2] == "all" || std::stol(words[2]) == i)
                              && (words[3] == "all" || std::stol(words[3]) == j);
            if (here) x(h, i, j) = words[4] == "allow" ? 0 : -infinity;
        });
    } else if (words[0] == "scale") {
        x = naive::multiply(std::move(x), std::stod(words[2]));
    } else if (words[0] == "weight") {
        x = weight_by_hand(words, std::move(x));
    } else if (words[0] == "patch") {
        x = patched_by_hand(words, std::move(x), second.at(path));
    }
    return x;
}

// --- the models --------------------------------------------------------------------------------------------

struct Sides {
    std::vector<TokenId> source, target;
};

struct Pair {
    ModelConfig config;
    LoadedModel model;
    std::unique_ptr<Model> second;
    Sides here{{4, 8, 5, 7, 2}, {1, 6, 4, 5}}, there{{5, 8, 6, 2}, {1, 4, 6, 6, 5}};
    naive::Values second_by_hand;

    Pair(const ModelConfig& chosen, std::uint64_t seed) : config(chosen) {
        model.files.config = config;
        model.files.parameters = random_parameters(config, seed);
        model.name = "small";
        model.main_pass = build_transformer(config, model.files.parameters);
        second = build_transformer(config, model.files.parameters);
        compute(*second, there);
        compute(*model.main_pass, here);
        second_by_hand = twin(there, {});
    }

    static void compute(Model& pass, const Sides& fed) {
        feed(pass.map.source()->tokens, fed.source, 1, Index(fed.source.size()));
        feed(pass.map.target()->tokens, fed.target, 1, Index(fed.target.size()));
        pass.graph.forward();
    }

    naive::Values twin(const Sides& fed, const Words& changes) const {
        return naive::transformer(config, model.files.parameters, fed.source, fed.target,
                                  [&](const std::string& path, Numbers x, const naive::Values& so_far) {
                                      const Numbers computed = x;
                                      for (const std::string& change : changes)
                                          x = by_hand(change, path, std::move(x), computed, so_far,
                                                      second_by_hand, config);
                                      return x;
                                  });
    }

    // What differs between the changed model and its twin, or "".
    std::string fault(const Words& changes) {
        std::vector<Edit> all;
        for (const std::string& change : changes) {
            const Result<std::vector<Edit>> edits = edits_of(change, model, &second->graph);
            if (!edits) return change + ": " + edits.error().key;
            all.insert(all.end(), edits->begin(), edits->end());
        }
        model.graph().set_edits(all);
        compute(*model.main_pass, here);
        for (const auto& [path, expected] : twin(here, changes)) {
            const Node* node = model.graph().find(path);
            if (node == nullptr) return "no value " + path;
            const double tolerance = std::is_same_v<Real, double> ? 1e-9 : 2e-4;
            if (const std::string wrong = difference(node->value, expected, tolerance); !wrong.empty())
                return path + " " + wrong;
        }
        return unexplained_cell(model.graph());
    }
};

// --- random changes ----------------------------------------------------------------------------------------

class Changer {
public:
    Changer(const Pair& pair, std::uint64_t seed) : pair_(pair), random_(seed) {
        for (const Node& node : pair.model.graph().nodes()) {
            const std::string_view op = node.op->name();
            if (op == "parameter") weights_.push_back(&node);
            if (op == "attention_mask") masks_.push_back(&node);
            const bool is_value =
                op != "tokens" && op != "argmax" && op != "parameter" && op != "attention_mask";
            if (is_value && !node.path.ends_with(".masked")) values_.push_back(&node);
        }
        attentions_ = attentions_of(pair.model.map());
    }

    std::string next() {
        switch (random_.below(10)) {
        case 0:
            return "head " + one_of(attentions_) + " " + head() + " " + how();
        case 1:
            if (random_.below(2) == 0) {
                const bool reads = random_.below(2) == 0;
                return std::string(reads ? "stop encoder " : "stop decoder ")
                       + below(reads ? pair_.config.encoder_layers : pair_.config.decoder_layers);
            }
            return "head " + one_of(attentions_) + " " + head() + " " + how();
        case 2: {
            const bool positions = pair_.config.positional_encoding != PositionalEncoding::none;
            Words removable = {"scaling", "residual", "norm", "ffn", "attention", "layer"};
            if (positions) removable.push_back("positions");
            return "remove " + one_of(removable) + " " + one_of({"all", "encoder", "decoder"});
        }
        case 3:
        case 4:
            return cell_of(*one_of(values_));
        case 5:
            return cell_of(*one_of(weights_));
        case 6: {
            const Node& node = *one_of(values_);
            return "row " + node.path + " " + below(node.shape().rows) + " " + below(node.shape().rows);
        }
        case 7: {
            const Node& mask = *one_of(masks_);
            return "mask " + mask.path + " " + index_or_all(mask.shape().rows) + " "
                   + index_or_all(mask.shape().columns) + " " + one_of({"allow", "forbid"});
        }
        case 8: {
            const Node& node = *one_of(values_);
            if (random_.below(3) == 0) return "patch " + node.path + " all";
            const Index theirs = pair_.second->graph.find(node.path)->shape().rows;
            return "patch " + node.path + " " + below(node.shape().rows) + " " + below(theirs);
        }
        default:
            if (random_.below(2) == 0) return "scale " + one_of(values_)->path + " " + number();
            const Node& weight = *one_of(weights_);
            Words ways = {"zero", "random " + below(100)};
            if (weight.shape().rows > 1) ways.push_back("identity");
            return "weight " + weight.path + " " + one_of(ways);
        }
    }

private:
    template <class T>
    T one_of(const std::vector<T>& all) {
        return all[std::size_t(random_.below(Index(all.size())))];
    }
    std::string one_of(std::initializer_list<const char*> all) {
        return one_of(Words(all.begin(), all.end()));
    }
    std::string below(Index n) { return std::to_string(random_.below(n)); }
    std::string head() { return random_.below(4) == 0 ? "all" : below(pair_.config.num_heads); }
    std::string index_or_all(Index n) { return random_.below(4) == 0 ? "all" : below(n); }
    std::string number() { return one_of({"0", "0.5", "-1.25", "2", "-0.75", "1.5"}); }
    std::string how() {
        return one_of(
            Words{"silence", "scale " + number(), "uniform", "identity", "previous", "next", "other"});
    }
    std::string cell_of(const Node& node) {
        return "cell " + node.path + " " + below(node.shape().batch) + " " + below(node.shape().rows) + " "
               + below(node.shape().columns) + " " + number();
    }

    const Pair& pair_;
    Random random_;
    std::vector<const Node*> weights_, masks_, values_;
    Words attentions_;
};

} // namespace

TEST_CASE("the twin without changes is the model") {
    for (const ModelConfig& config : all_configs()) {
        CAPTURE(description(config));
        CHECK(Pair(config, 3).fault({}) == "");
    }
}

TEST_CASE("600 random changes of all kinds, alone and in company, agree with the model changed by hand") {
    std::set<std::string> kinds;
    int changes_made = 0;
    std::uint64_t seed = 0;
    for (const ModelConfig& config : all_configs()) {
        Pair pair(config, ++seed);
        Changer changer(pair, seed);
        for (const std::size_t together : {1, 1, 1, 1, 1, 1, 2, 2, 3}) {
            Words changes;
            for (std::size_t i = 0; i < together; ++i) changes.push_back(changer.next());
            changes_made += int(together);
            std::string all;
            for (const std::string& change : changes) {
                all += change + "; ";
                kinds.insert(change.substr(0, change.find(' ')));
            }
            CAPTURE(description(config));
            CAPTURE(all);
            CHECK(pair.fault(changes) == "");
        }
    }
    CHECK(changes_made >= 600);
    CHECK(kinds.size() == change_forms().size());
}
