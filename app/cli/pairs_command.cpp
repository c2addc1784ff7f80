// Sentence pairs as training data: drawn from the lexicon and the everyday grammar.
#include "app/cli/command.h"
#include "engine/io/file.h"
#include "engine/task/pairs.h"
#include "engine/task/tasks.h"

#include <CLI/CLI.hpp>

namespace headlight {

namespace {

constexpr Index most_pairs = 10'000'000;

class PairsCommand final : public Command {
public:
    std::string_view name() const override { return "pairs"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--drawn", drawn_, strings.text("cli.pairs.drawn"))->type_name("N");
        app.add_option("--seed", seed_, strings.text("cli.pairs.seed"))->type_name("N");
        app.add_option("--direction", direction_, strings.text("cli.pairs.direction"))
            ->type_name("en-pt|pt-en");
        app.add_option("--written", written_, strings.text("cli.pairs.written"))->type_name("FILE.tsv");
        app.add_flag("--glossed", glossed_, strings.text("cli.pairs.glossed"));
        app.add_option("--to", to_, strings.text("cli.pairs.to"))->type_name("FILE");
    }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        using Direction = DrawnPairs::Direction;
        Index count = 20;
        std::uint64_t seed = 1;
        Direction direction = Direction::english_to_portuguese;
        ArgumentReader reader;
        reader.read("--drawn", drawn_, count, Index(1), most_pairs);
        reader.read("--seed", seed_, seed);
        reader.read(
            "--direction", direction_, direction,
            {{"en-pt", Direction::english_to_portuguese}, {"pt-en", Direction::portuguese_to_english}});
        if (reader.error()) return terminal.refuse(*reader.error());
        std::optional<WordGlosser> glosser;
        if (glossed_) {
            Result<WordGlosser> opened = WordGlosser::open(assets.string());
            if (!opened) return terminal.refuse(opened.error());
            glosser = *std::move(opened);
        }

        std::unique_ptr<DrawnPairs> drawing; // null: the pairs are those that were written
        std::vector<SentencePair> written;
        if (written_) {
            Result<std::vector<SentencePair>> read =
                read_all_pairs(*written_, direction == Direction::portuguese_to_english);
            if (!read) return terminal.refuse(read.error());
            written = *std::move(read);
            count = Index(written.size());
        } else {
            Result<std::unique_ptr<DrawnPairs>> opened = DrawnPairs::open(assets.string(), direction);
            if (!opened) return terminal.refuse(opened.error());
            drawing = *std::move(opened);
        }

        Random random({seed});
        std::size_t at = 0;
        const auto next = [&] {
            SentencePair pair = drawing ? drawing->draw(random) : written[at++];
            std::string line = pair.source + "\t" + pair.target;
            if (!glosser) return line;
            if (direction == Direction::portuguese_to_english) std::swap(pair.source, pair.target);
            const auto glosses = glosser->gloss(pair.source, pair.target);
            return line + "\t" + (glosses ? written_gloss(*glosses) : "");
        };
        if (!to_) {
            for (Index i = 0; i < count; ++i)
                if (!terminal.print(next())) break;
            return terminal.end();
        }
        Result<AtomicFile> file = AtomicFile::create(*to_);
        if (!file) return terminal.fail(file.error());
        std::string block; // written by the megabyte
        for (Index i = 0; i < count; ++i) {
            block += next() + "\n";
            if (block.size() < 1'000'000 && i + 1 < count) continue;
            if (const Result<Done> done = file->write(block); !done) return terminal.fail(done.error());
            block.clear();
        }
        if (const Result<Done> done = file->commit(); !done) return terminal.fail(done.error());
        return terminal.end();
    }

private:
    Typed drawn_, written_, seed_, direction_, to_;
    bool glossed_ = false;
};

} // namespace

std::unique_ptr<Command> make_pairs_command() { return std::make_unique<PairsCommand>(); }

} // namespace headlight
