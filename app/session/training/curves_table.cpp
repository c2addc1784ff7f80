#include "app/session/training/curves_table.h"

#include "engine/text/words.h"

#include <charconv>
#include <cmath>

namespace headlight {

namespace {

// A name may have the separator in it, or quotation marks.
std::string quoted_field(const std::string& text, char separator) {
    if (text.find_first_of(std::string("\"\n\r") + separator) == text.npos) return text;
    std::string quoted = "\"";
    for (const char byte : text) quoted += byte == '"' ? std::string("\"\"") : std::string(1, byte);
    return quoted + '"';
}

std::string field(double number) { return std::isfinite(number) ? exactly(number) : "inf"; }

// The shortest that is read back as the same float.
std::string field(float number) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

} // namespace

std::string curves_table(std::span<const std::unique_ptr<Run>> runs, char separator) {
    std::string table;
    const auto line = [&](std::span<const std::string> fields) {
        for (std::size_t i = 0; i < fields.size(); ++i) table += (i > 0 ? separator + fields[i] : fields[i]);
        table += '\n';
    };
    line(std::vector<std::string>{"run", "step", "loss", "gradient_norm", "learning_rate", "held_out_loss",
                                  "token_accuracy", "exact_match", "seconds"});
    for (const auto& run : runs) {
        const std::string name = quoted_field(run->name, separator);
        auto judged = run->judged.begin();
        for (std::size_t i = 0; i < run->steps.size(); ++i) {
            const StepPoint& point = run->steps[i];
            const Index step = run->first_step + Index(i) + 1;
            std::vector<std::string> fields{name, std::to_string(step), field(point.loss),
                                            field(point.gradient_norm), field(point.learning_rate)};
            while (judged != run->judged.end() && judged->step < step) ++judged;
            if (judged != run->judged.end() && judged->step == step)
                for (const double number :
                     {judged->loss, judged->token_accuracy, judged->exact_match, judged->seconds})
                    fields.push_back(field(number));
            fields.resize(9);
            line(fields);
        }
    }
    return table;
}

} // namespace headlight
