#include "app/session/help_pages.h"
#include "app/session/session.h"

#include <algorithm>
#include <sstream>

namespace headlight {

namespace {

constexpr HelpEntry all_tasks[] = {
    {"walk", "room explore\nview canvas\nstep first"},
    {"nearer", "room explore\nview canvas\nframe @self_attn.weights"},
    {"find", "room explore\nview canvas\npress ctrl+f"},
    {"ask", "room explore\nview canvas\ngoto @self_attn.weights\nselect @self_attn.weights 0 0 0"},
    {"play", "room explore\ngoto @self_attn.weights\ncloseup workings"},
    {"word", "room explore\ngoto @self_attn.weights\ncloseup word"},
    {"tokens", "room explore\ntokens"},
    {"positions", "room explore\ngoto @embed.positions\ncloseup positions"},
    {"answer", "room explore\nview canvas\ngoto output.probabilities"},
    {"say", "room say\nsay words"},
    {"draw", "room say\nsay words\nsay draw"},
    {"beams", "room say\nsay beams\nsay beam"},
    {"forced", "room say\nsay lanes"},
    {"heads", "room heads\nheads grid"},
    {"silence", "room heads\nheads sweep"},
    {"compare", "room heads\nheads pair"},
    {"masks", "room heads\nheads masks"},
    {"padding", "room heads\nheads batch"},
    {"change", "room whatif"},
    {"undo", "undo"},
    {"basics", "room lesson"},
    {"descent", "room descent"},
    {"chain", "descent kind layers\nroom descent"},
    {"fixed", "room places"},
    {"memory", "room memory"},
    {"forgot", "room memory\nrace cells lstm"},
    {"norms", "room norms"},
    {"batch_norm", "room norms\nnorms page trained"},
    {"slower", "room costs"},
    {"time", "room explore\nview canvas\nfit\nprofile on"},
    {"lives", "room heads\nheads words"},
    {"train", "room train\ndesk settings"},
    {"pairs", "choose pairs"},
    {"moments", "room train\ndesk moments"},
    {"way_back", "descent kind layers\ndescent rate 2\ndescent step 100\ndescent canvas\nroom train"},
    {"gradients", "room train\ndesk backward"},
    {"copy",
     "room explore\nview canvas\ngoto @self_attn.weights\nselect @self_attn.weights 0 0 0\nregion all"},
    {"save", "choose save"},
    {"picture", "choose picture"},
    {"model", "choose model"},
    {"projector", "presenter toggle"},
    {"vocabulary", "vocabulary on"},
    {"commands", "palette on"},
};

constexpr Download all_downloads[] = {
    {"gpt2", "openai-community/gpt2", 548},
    {"distilgpt2", "distilbert/distilgpt2", 353},
    {"smollm2", "HuggingFaceTB/SmolLM2-135M", 269},
    {"qwen2", "Qwen/Qwen2-0.5B", 988},
    {"llama", "meta-llama/Llama-3.2-1B", 2472},
    {"bert", "google-bert/bert-base-uncased", 440},
    {"sst2", "distilbert/distilbert-base-uncased-finetuned-sst-2-english", 268},
    {"marian", "Helsinki-NLP/opus-mt-en-ROMANCE", 312},
};

constexpr std::string_view see = "room explore\nview canvas\ngoto ";

constexpr HelpEntry all_terms[] = {
    {"transformer", "room explore\nview canvas\nfit"},
    {"token", "@tokens"},
    {"vocabulary", "@output.logits"},
    {"special_token", "@tokens"},
    {"vector", "@embed.output"},
    {"matrix", "@self_attn.scores"},
    {"parameter", "room train\ndesk settings"},
    {"embedding", "@embed.tokens"},
    {"d_model", "@embed.output"},
    {"positional_encoding", "@embed.positions"},
    {"encoder", "@encoder.tokens"},
    {"decoder", "@decoder.tokens"},
    {"layer", "@add1"},
    {"attention", "@self_attn.weights"},
    {"self_attention", "@self_attn.weights"},
    {"cross_attention", "@cross_attn.weights"},
    {"query", "@self_attn.query"},
    {"key", "@self_attn.key"},
    {"value", "@self_attn.value"},
    {"head", "room heads\nheads grid"},
    {"dot_product", "@self_attn.scores"},
    {"score", "@self_attn.scores"},
    {"scaling", "@self_attn.scaled"},
    {"mask", "@self_attn.masked"},
    {"look_ahead", "@self_mask"},
    {"padding", "room heads\nheads batch"},
    {"softmax", "@self_attn.weights"},
    {"concat", "@self_attn.concat"},
    {"residual", "@add1"},
    {"layer_norm", "@norm1"},
    {"feed_forward", "@ffn.hidden"},
    {"relu", "@ffn.activated"},
    {"logits", "@output.logits"},
    {"probability", "@output.probabilities"},
    {"greedy", "room say\nsay words"},
    {"temperature", "room say\nsay words\nsay draw"},
    {"top_k", "room say\nsay words\nsay draw"},
    {"top_p", "room say\nsay words\nsay draw"},
    {"beam", "room say\nsay beams\nsay beam"},
    {"length_penalty", "room say\nsay beams\nsay beam"},
    {"cache", "room say\nsay cost"},
    {"autoregressive", "room say\nsay words"},
    {"alignment", "@cross_attn.weights"},
    {"teacher_forcing", "room say\nsay lanes"},
    {"exposure", "room say\nsay lanes"},
    {"cross_entropy", "@output.loss"},
    {"loss", "@output.loss"},
    {"smoothing", "room train\ndesk settings"},
    {"training", "room train\ndesk settings"},
    {"descent", "room descent"},
    {"held_out", "room train\ndesk examples"},
    {"overfitting", "room train\ndesk curves\ncurve loss"},
    {"batch", "room heads\nheads batch"},
    {"step", "room train\ndesk curves"},
    {"gradient", "room train\ndesk backward"},
    {"backpropagation", "room train\ndesk backward"},
    {"adam", "room train\ndesk backward"},
    {"learning_rate", "room train\ndesk curves\ncurve rate"},
    {"warmup", "room train\ndesk curves\ncurve rate"},
    {"dropout", ""},
    {"entropy", "room heads\nheads grid\nheads order entropy"},
    {"ablation", "room heads\nheads sweep"},
    {"patching", "room whatif"},
};

// The first step whose path ends with these names; empty: there is none.
std::string step_that_ends(const Session& session, std::string_view end) {
    if (!session.has_model()) return {};
    for (const StoryStep& step : session.model().story) {
        const std::string& path = step.path();
        if (path.ends_with(end) && (path.size() == end.size() || path[path.size() - end.size() - 1] == '.'))
            return path;
    }
    return {};
}

} // namespace

std::span<const Download> downloads() { return all_downloads; }

std::string address_of(const Download& model) {
    return "https://huggingface.co/" + std::string(model.repository) + "/tree/main";
}

std::span<const HelpEntry> tasks() { return all_tasks; }
std::span<const HelpEntry> glossary() { return all_terms; }

std::optional<std::vector<std::string>> commands_of(const HelpEntry& entry, const Session& session) {
    // A place alone: it is shown on the canvas.
    std::istringstream all((entry.lines.starts_with('@') ? std::string(see) : "") + std::string(entry.lines));
    std::vector<std::string> lines;
    for (std::string line; std::getline(all, line);) {
        if (const std::size_t at = line.find('@'); at != line.npos) {
            const std::size_t end = std::min(line.find(' ', at), line.size());
            const std::string path = step_that_ends(session, line.substr(at + 1, end - at - 1));
            if (path.empty()) return {};
            line.replace(at, end - at, path);
        }
        if (!session.has_model() && !line.starts_with("choose") && !line.starts_with("room train")
            && !line.starts_with("desk"))
            return {};
        lines.push_back(std::move(line));
    }
    if (lines.empty()) return {};
    return lines;
}

const std::vector<KeyBinding>& key_bindings() {
    static const std::vector<KeyBinding> bindings = {
        {"right", "step +1"},
        {"left", "step -1"},
        {"page_down", "step +10"},
        {"page_up", "step -10"},
        {"home", "step first"},
        {"end", "step last"},
        {"space", "toggle"},
        {"h", "head next"},
        {"up", "layer next"},
        {"down", "layer previous"},
        {"escape", "unselect"},
        {"ctrl+z", "undo"},
        {"backspace", "back"},
        {"alt+left", "back"},
        {"alt+right", "forward"},
        {"ctrl+y", "redo"},
        {"ctrl+shift+z", "redo"},
        {"0", "fit"},
        {"=", "zoom in"},
        {"shift+=", "zoom in"},
        {"-", "zoom out"},
        {"f", "frame"},
        {"[", "look back"},
        {"]", "look forward"},
        {"v", "view next"},
        {"shift+left", "pan -120 0"},
        {"shift+right", "pan 120 0"},
        {"shift+up", "pan 0 -120"},
        {"shift+down", "pan 0 120"},
        {"w", "closeup workings"},
        {"k", "closeup word"},
        {"t", "tokens"},
        {"p", "profile toggle"},
        {"b", "readback toggle"},
        {"d", "vocabulary toggle"},
        {"space", "workings toggle", Heard::at_rest, CloseUp::workings},
        {"right", "workings next", Heard::at_rest, CloseUp::workings},
        {"left", "workings previous", Heard::at_rest, CloseUp::workings},
        {"down", "workings row next", Heard::at_rest, CloseUp::workings},
        {"up", "workings row previous", Heard::at_rest, CloseUp::workings},
        {"space", "word toggle", Heard::at_rest, CloseUp::word},
        {"right", "word step +1", Heard::at_rest, CloseUp::word},
        {"left", "word step -1", Heard::at_rest, CloseUp::word},
        {"down", "word next", Heard::at_rest, CloseUp::word},
        {"up", "word previous", Heard::at_rest, CloseUp::word},
        {"space", "tokens toggle", Heard::at_rest, CloseUp::tokens},
        {"right", "tokens next", Heard::at_rest, CloseUp::tokens},
        {"left", "tokens previous", Heard::at_rest, CloseUp::tokens},
        {"down", "tokens word next", Heard::at_rest, CloseUp::tokens},
        {"up", "tokens word previous", Heard::at_rest, CloseUp::tokens},
        {"escape", "closeup off", Heard::at_rest, CloseUp::tokens},
        {"escape", "closeup off", Heard::at_rest, CloseUp::positions},
        {"escape", "closeup off", Heard::at_rest, CloseUp::workings},
        {"escape", "closeup off", Heard::at_rest, CloseUp::word},
        // What a presenter's remote control sends: begin, end, one forward, one back.
        {"f5", "alone toggle", Heard::while_typing},
        {"escape", "alone off", Heard::at_rest, CloseUp::none, true},
        {"page_down", "step +1", Heard::at_rest, CloseUp::none, true},
        {"page_up", "step -1", Heard::at_rest, CloseUp::none, true},
        {"page_down", "lesson forward", Heard::at_rest, CloseUp::none, false, true},
        {"page_up", "lesson card back", Heard::at_rest, CloseUp::none, false, true},
        {"1", "lesson choose 1", Heard::at_rest, CloseUp::none, false, true},
        {"2", "lesson choose 2", Heard::at_rest, CloseUp::none, false, true},
        {"3", "lesson choose 3", Heard::at_rest, CloseUp::none, false, true},
        {"4", "lesson choose 4", Heard::at_rest, CloseUp::none, false, true},
        {"5", "lesson choose 5", Heard::at_rest, CloseUp::none, false, true},
        {"6", "lesson choose 6", Heard::at_rest, CloseUp::none, false, true},
        {"7", "lesson choose 7", Heard::at_rest, CloseUp::none, false, true},
        {"8", "lesson choose 8", Heard::at_rest, CloseUp::none, false, true},
        {"9", "lesson choose 9", Heard::at_rest, CloseUp::none, false, true},
        {"n", "lesson notes toggle", Heard::at_rest, CloseUp::none, false, true},
        {"f6", "lesson notes toggle", Heard::while_typing, CloseUp::none, false, true},
        {"ctrl+z", "lesson votes undo", Heard::at_rest, CloseUp::none, false, true, true},
        {"l", "spotlight toggle"},
        {"ctrl+o", "choose open", Heard::everywhere},
        {"ctrl+s", "save", Heard::while_typing},
        {"ctrl+shift+s", "choose save", Heard::everywhere},
        {"ctrl+k", "palette toggle", Heard::everywhere},
        {"f1", "help toggle", Heard::everywhere},
        {"f2", "language next", Heard::everywhere},
        {"f3", "theme next", Heard::everywhere},
        {"f4", "presenter toggle", Heard::everywhere},
        {"f11", "fullscreen toggle", Heard::everywhere},
    };
    return bindings;
}

bool is_at_work(const KeyBinding& binding, CloseUp open, bool alone, bool in_lesson, bool voting) {
    const auto holds = [&](const KeyBinding& one) {
        return (one.close_up == CloseUp::none || one.close_up == open) && (!one.alone || alone)
               && (!one.in_lesson || in_lesson) && (!one.voting || voting);
    };
    // The more a binding asks for, the more it is meant for just this.
    const auto rank = [](const KeyBinding& one) {
        return 8 * int(one.voting) + 4 * int(one.in_lesson) + 2 * int(one.alone)
               + int(one.close_up != CloseUp::none);
    };
    const std::vector<KeyBinding>& all = key_bindings();
    return holds(binding) && std::none_of(all.begin(), all.end(), [&](const KeyBinding& other) {
               return other.chord == binding.chord && holds(other) && rank(other) > rank(binding);
           });
}

} // namespace headlight
