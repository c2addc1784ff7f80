#include "engine/train/fixed_weights.h"

#include "engine/base/lasting.h"
#include "engine/ops/gather.h"
#include "engine/ops/leaves.h"
#include "engine/ops/pointwise.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"
#include "engine/tensor/random.h"
#include "engine/text/unicode.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr Index sense_width = 6; // d, of both
constexpr double sense_rate = 0.02;
constexpr const char* asked_word = "manga";

SenseSentence sentence(const char* words, Index sense) { return {words_of(words), sense}; }

std::int32_t id_of(const std::string& word) {
    const std::vector<std::string>& all = sense_vocabulary();
    const auto found = std::find(all.begin() + 1, all.end(), word);
    return found == all.end() ? 0 : std::int32_t(found - all.begin());
}

} // namespace

const std::vector<SenseSentence>& manga_sentences() {
    static const std::vector<SenseSentence>& all = lasting<std::vector<SenseSentence>>({
        sentence("eu gosto de comer manga", 0),
        sentence("ela pediu para comer a manga hoje", 0),
        sentence("nós vamos comer a manga cedo", 0),
        sentence("ele quer chupar uma manga hoje", 0),
        sentence("eu pedi para chupar a manga", 0),
        sentence("ela comprou na feira uma manga", 0),
        sentence("o suco da manga é doce", 0),
        sentence("a fruta doce é a manga", 0),
        sentence("ele pediu para a costureira cortar a manga", 1),
        sentence("ela pediu para costurar a manga hoje", 1),
        sentence("eu pedi para a costureira dobrar a manga", 1),
        sentence("a costureira vai costurar a manga", 1),
        sentence("ele quer dobrar a manga da camisa", 1),
        sentence("ela rasgou da camisa uma manga", 1),
        sentence("nós vamos cortar a manga cedo", 1),
        sentence("o botão da manga é novo", 1),
    });
    return all;
}

const std::vector<std::string>& sense_vocabulary() {
    static const std::vector<std::string>& all = lasting([] {
        std::vector<std::string> words = {"<unk>"};
        const auto add = [&](const std::string& word) {
            if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
        };
        for (const SenseSentence& one : manga_sentences())
            for (const std::string& word : one.words) add(word);
        return words;
    }());
    return all;
}

const std::vector<std::string>& words_in_front(Index count) {
    using Words = std::vector<std::string>;
    static const std::vector<Words>& all = lasting<std::vector<Words>>(
        {{}, {"hoje"}, {"hoje", "cedo"}, {"hoje", "é", "cedo"}, {"hoje", "é", "bem", "cedo"}});
    return all[std::size_t(std::clamp<Index>(count, 0, most_in_front))];
}

std::vector<std::string> cut_into_words(const std::string& text) {
    std::vector<std::string> words = words_of(lowercase(text));
    for (std::string& word : words)
        while (!word.empty() && std::string_view(".,;!?").find(word.back()) != std::string_view::npos)
            word.pop_back();
    std::erase(words, "");
    if (Index(words.size()) > longest_sense_sentence) words.resize(longest_sense_sentence);
    return words;
}

// --- one network ------------------------------------------------------------------------------------------

SenseNet::SenseNet(Mixing mixing, std::uint64_t seed) : mixing_(mixing) {
    const Index vocabulary = Index(sense_vocabulary().size());
    parameters_.declare_matrix("embedding", vocabulary, sense_width);
    if (mixing == Mixing::fixed) {
        parameters_.declare_vector("places", longest_sense_sentence);
    } else {
        parameters_.declare_matrix("w_q", sense_width, sense_width);
        parameters_.declare_matrix("w_k", sense_width, sense_width);
    }
    parameters_.declare_matrix("classes.weight", 2, sense_width);
    parameters_.declare_vector("classes.bias", 2);
    parameters_.allocate();
    Random random({seed, std::uint64_t(mixing)});
    for (const Parameter& p : parameters_.list()) {
        // Places begin at nothing in particular, so that what one finds there was learned.
        const double deviation = p.name == "places" ? 0.05
                                 : p.is_vector      ? 0
                                                    : 1 / std::sqrt(double(sense_width));
        Tensor numbers = parameters_.tensor(p);
        for (Index i = 0; i < numbers.size(); ++i) numbers.data()[i] = Real(random.normal() * deviation);
    }
    Tensor embedding = parameters_.tensor(*parameters_.find("embedding"));
    for (Index c = 0; c < sense_width; ++c) embedding(0, 0, c) = 0; // unknown words say nothing
    adam_ = std::make_unique<Adam>(parameters_.count(), AdamOptions{0.9, 0.98, 1e-8});
    gradients_.resize(std::size_t(parameters_.count()));
    for (const SenseSentence& one : manga_sentences()) {
        auto lesson = std::make_unique<Lesson>();
        lesson->gradients.resize(std::size_t(parameters_.count()));
        const SensePass pass = add(lesson->graph, one.words, lesson->gradients.data());
        Node* goal = tokens(lesson->graph);
        const std::int32_t sense = std::int32_t(one.sense);
        feed(goal, {&sense, 1}, 1, 1);
        lesson->loss = cross_entropy(pass.logits, goal, -1, 0);
        lessons_.push_back(std::move(lesson));
    }
    for (const auto& lesson : lessons_) lesson->graph.forward();
    keep();
}

SensePass SenseNet::add(Graph& graph, std::span<const std::string> words, Real* gradients) {
    const Index length = Index(words.size());
    const auto weight = [&](const char* called, Index count = -1) {
        return parameter(graph, parameters_, called, gradients, 0, count);
    };
    SensePass pass;
    pass.tokens = name("tokens", tokens(graph));
    std::vector<std::int32_t> ids;
    for (const std::string& word : words) ids.push_back(id_of(word));
    feed(pass.tokens, ids, 1, length);
    Node* embedding = weight("embedding");
    Node* x = name("x", gather(embedding, pass.tokens));
    if (mixing_ == Mixing::fixed) {
        pass.weights = name("places", weight("places", length));
        pass.weights->symbol = {"a"};
        pass.weights->axes.columns = axis::positions(*pass.tokens);
    } else {
        Node* asked = name("asked", tokens(graph));
        const std::int32_t id = id_of(asked_word);
        feed(asked, {&id, 1}, 1, 1);
        Node* q = name("query", matmul(gather(embedding, asked), name("w_q", weight("w_q"))));
        Node* k = name("keys", matmul(x, name("w_k", weight("w_k"))));
        Node* scores = name("scores", matmul_nt(q, k));
        pass.weights =
            name("weights", softmax(name("scaled", divide(scores, square_root("d", sense_width)))));
        q->symbol = {"q", "query"}, k->symbol = {"K", "key"}, scores->symbol = {"s"};
        pass.weights->symbol = {"a"};
    }
    Node* mixed = name("mixed", matmul(pass.weights, x));
    pass.logits = name("logits", linear(mixed, weight("classes.weight"), weight("classes.bias")));
    pass.probabilities = name("probabilities", softmax(pass.logits));
    x->symbol = {"X"}, mixed->symbol = {"y"}, pass.logits->symbol = {"z"}, pass.probabilities->symbol = {"p"};
    pass.logits->axes.columns = pass.probabilities->axes.columns = axis::classes;
    return pass;
}

float SenseNet::loss() const {
    double sum = 0;
    for (const auto& lesson : lessons_) sum += double(lesson->loss->value(0, 0, 0));
    return float(sum / double(lessons_.size()));
}

void SenseNet::keep() {
    losses_.push_back(loss());
    kept_.emplace_back(parameters_.data(), parameters_.data() + parameters_.count());
}

// Once over all sentences, computed before: a step against the gradient of their mean loss.
void SenseNet::learn() {
    std::fill(gradients_.begin(), gradients_.end(), Real(0));
    const Real share = 1 / Real(lessons_.size());
    for (const auto& lesson : lessons_) {
        std::fill(lesson->gradients.begin(), lesson->gradients.end(), Real(0));
        lesson->graph.backward(lesson->loss);
        for (std::size_t i = 0; i < gradients_.size(); ++i) gradients_[i] += share * lesson->gradients[i];
    }
    // Unknown words go on saying nothing.
    std::fill_n(gradients_.begin() + std::ptrdiff_t(parameters_.find("embedding")->offset), sense_width,
                Real(0));
    adam_->begin_step();
    adam_->update(0, parameters_.count(), parameters_.data(), gradients_.data(), sense_rate);
    for (const auto& lesson : lessons_) lesson->graph.forward();
}

void SenseNet::show(Index epoch) {
    epoch = std::clamp<Index>(epoch, 0, most_sense_epochs);
    const auto put = [&](const std::vector<Real>& weights) {
        std::copy(weights.begin(), weights.end(), parameters_.data());
    };
    if (Index(kept_.size()) <= epoch) {
        put(kept_.back());
        for (const auto& lesson : lessons_) lesson->graph.forward();
        while (Index(kept_.size()) <= epoch) {
            learn();
            keep();
        }
    }
    put(kept_[std::size_t(epoch)]);
}

// --- as they are looked at --------------------------------------------------------------------------------

FixedWeights::FixedWeights(const FixedWeightsSetting& setting, const FixedWeights* before)
    : setting_(setting) {
    const char* given_sentences[] = {"eu gosto de comer manga", "ele pediu para a costureira cortar a manga",
                                     setting.own.c_str()};
    for (Index i = 0; i < sentences; ++i) {
        std::vector<std::string>& words = words_[i];
        words = words_in_front(setting.in_front);
        for (const std::string& word : cut_into_words(given_sentences[i])) words.push_back(word);
        if (words.empty()) words.emplace_back(asked_word);
        if (Index(words.size()) > longest_sense_sentence) words.resize(longest_sense_sentence);
    }
    const Scope scope(graph_, "places");
    for (const Mixing mixing : {Mixing::fixed, Mixing::attention}) {
        auto& net = nets_[std::size_t(mixing)];
        const bool is_known = before && before->setting_.seed == setting.seed;
        net =
            is_known ? before->nets_[std::size_t(mixing)] : std::make_shared<SenseNet>(mixing, setting.seed);
        net->show(setting.epochs);
        const Scope of_net(graph_, mixing == Mixing::fixed ? "fixed" : "attention");
        for (Index i = 0; i < sentences; ++i) {
            const Scope of_sentence(graph_, std::to_string(i));
            passes_[std::size_t(mixing)][i] = net->add(graph_, words_[i]);
        }
    }
    graph_.forward();
}

bool FixedWeights::is_known(Index sentence, Index word) const {
    return id_of(words_[std::size_t(sentence)][std::size_t(word)]) != 0;
}

const std::vector<std::string>* FixedWeights::words_of(const Node& tokens) const {
    for (const auto& of_net : passes_)
        for (Index i = 0; i < sentences; ++i)
            if (of_net[i].tokens == &tokens) return &words_[i];
    return nullptr;
}

} // namespace headlight
