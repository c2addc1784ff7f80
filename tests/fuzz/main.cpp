// Reads examples of everything that comes from outside, and mutations of them, and says what should not have
// been. Needs no more than a compiler; guided.cpp is the same for libFuzzer.
#include "tests/fuzz/examples.h"
#include "tests/fuzz/mutation.h"
#include "tests/fuzz/watch.h"

#include "app/session/assets.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>

namespace fs = std::filesystem;
using namespace headlight;
using namespace headlight::fuzz;

namespace {

struct Request {
    std::optional<std::size_t> runs;
    double seconds = 0;
    std::uint32_t seed = 20170612;
    fs::path found = "fuzz-found";
    bool tells = false;
    std::vector<std::string> inputs; // none: the target's examples
};

class Fuzzing {
public:
    Fuzzing(const Target& target, const Judge& judge, const Request& request)
        : target_(target), judge_(judge), request_(request), watch_(target.name, request.found) {}

    // How many inputs were found that should have been read otherwise.
    int run() {
        std::vector<std::string> examples;
        for (const Example& example :
             request_.inputs.empty() ? examples_of(target_) : examples_in(target_, request_.inputs)) {
            if (!read(example.input, example.name)) ++findings_;
            const std::set<std::string> outcomes = judge_.take_outcomes();
            if (request_.tells) tell(example.name, outcomes);
            examples.push_back(example.input);
        }
        const std::size_t count = examples.size();
        Mutator mutator(target_, std::move(examples), request_.seed);
        const auto begun = std::chrono::steady_clock::now();
        const auto elapsed = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        };
        constexpr int too_many = 20;
        const std::size_t runs = request_.runs.value_or(target_.runs);
        std::size_t done = 0;
        for (; findings_ < too_many && (request_.seconds > 0 ? elapsed() < request_.seconds : done < runs);
             ++done) {
            const std::string input = mutator.next();
            if (!read(input, {})) ++findings_;
            for (const std::string& outcome : judge_.take_outcomes())
                if (++outcomes_[outcome] <= 3) mutator.keep(input);
        }
        std::printf("%-10s %3zu examples, %7zu mutations in %.1f s, %3zu outcomes, longest %.2f s, peak %ld "
                    "MB: %d found\n",
                    target_.name.c_str(), count, done, elapsed(), outcomes_.size(), longest_,
                    watch_.peak_megabytes(), findings_);
        std::fflush(stdout);
        return findings_;
    }

private:
    static void tell(const std::string& name, const std::set<std::string>& outcomes) {
        std::printf("%s:", name.c_str());
        for (const std::string& outcome : outcomes) std::printf(" %s", outcome.c_str());
        std::printf("%s\n", outcomes.empty() ? " accepted" : "");
    }

    static std::string without_figures(std::string text) {
        std::erase_if(text, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
        constexpr std::size_t enough = 40;
        return text.substr(0, enough);
    }

    // `name`: of an example. False: a finding, which has been told.
    bool read(const std::string& input, const std::string& name) {
        std::string finding;
        watch_.begin(input);
        try {
            target_.read(input, judge_);
        } catch (const std::exception& fault) {
            finding = fault.what();
        }
        const std::string too_much = watch_.end();
        longest_ = std::max(longest_, watch_.seconds());
        if (finding.empty()) finding = too_much;
        if (finding.empty()) return true;
        if (!told_.insert(without_figures(finding)).second && name.empty()) return true; // the same again
        const std::string where = name.empty() ? watch_.keep(input).string() : name;
        std::fprintf(stderr, "fuzz: %s: %s\n  %s\n", target_.name.c_str(), where.c_str(), finding.c_str());
        return false;
    }

    const Target& target_;
    const Judge& judge_;
    const Request& request_;
    Watch watch_;
    std::map<std::string, int> outcomes_;
    std::set<std::string> told_;
    double longest_ = 0;
    int findings_ = 0;
};

int fuzz_one(const Target& target, const Judge& judge, const Request& request) {
    return Fuzzing(target, judge, request).run();
}

} // namespace

int main(int count, char** words) {
    CLI::App app("Reads what a person or another program may have written, and what nobody would", "fuzz");
    Request request;
    app.add_option("--runs", request.runs, "mutations of each target; without it so many as suit it");
    app.add_option("--seconds", request.seconds,
                   "of each target, instead of a number (HEADLIGHT_FUZZ says the same)");
    app.add_option("--seed", request.seed, "other mutations");
    app.add_option("--found", request.found, "folder for inputs that were found");
    app.add_flag("--tell", request.tells, "which errors each example led to");
    if (const char* seconds = std::getenv("HEADLIGHT_FUZZ")) request.seconds = std::atof(seconds);

    std::string folder;
    CLI::App* pack = app.add_subcommand("pack", "writes a folder as one input, to standard output");
    pack->add_option("FOLDER", folder)->required()->check(CLI::ExistingDirectory);
    app.add_subcommand("all", "every target")->fallthrough();
    for (const Target& target : targets()) {
        CLI::App* one = app.add_subcommand(target.name)->fallthrough();
        one->add_option("INPUT", request.inputs, "files in place of its examples");
    }
    app.require_subcommand(1, int(targets().size()));
    CLI11_PARSE(app, count, words);

    if (pack->parsed()) {
        std::cout << packed_folder(folder);
        return 0;
    }
    Result<Strings> strings = Strings::load(fs::path(HEADLIGHT_SOURCE_DIR) / "assets");
    if (!strings) return 1;
    const Judge judge(*std::move(strings));
    request.found = fs::absolute(request.found);
    for (std::string& input : request.inputs) input = fs::absolute(input).string();
    const TemporaryFolder here; // commands that write files without saying where write them here
    fs::current_path(here.path());
    int findings = 0;
    const bool is_all = app.got_subcommand("all");
    for (const Target& target : targets())
        if (is_all || app.got_subcommand(target.name)) findings += fuzz_one(target, judge, request);
    return findings == 0 ? 0 : 1;
}
