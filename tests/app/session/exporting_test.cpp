// Numbers for other programs: every digit of every value, with its labels.
#include "app/session/exporting.h"
#include "tests/app/session/changed_session.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <sstream>

using namespace headlight;
using namespace headlight::test;

namespace {

// Cells of a table, quotes undone.
std::vector<std::vector<std::string>> cells_of(const std::string& text, char between) {
    std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
            lines.back().back() += text[++i];
        else if (c == '"' && between == ',')
            quoted = !quoted;
        else if (c == between && !quoted)
            lines.back().emplace_back();
        else if (c == '\n' && !quoted)
            lines.emplace_back(1);
        else
            lines.back().back() += c;
    }
    lines.pop_back(); // behind the last end of a line
    return lines;
}

std::uint32_t bits_of(float x) { return std::isnan(x) ? 0x7FC00000u : std::bit_cast<std::uint32_t>(x); }

struct Npy {
    std::string header;
    std::vector<long> shape;
    std::vector<float> numbers;
};

Npy read_npy(const std::string& bytes) {
    Npy read;
    REQUIRE(bytes.size() > 64);
    REQUIRE(bytes.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t length =
        static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
    REQUIRE((10 + length) % 64 == 0);
    read.header = bytes.substr(10, length);
    CHECK(read.header.back() == '\n');
    const std::size_t shape = read.header.find("'shape': (") + 10;
    std::istringstream sizes(read.header.substr(shape, read.header.find(')', shape) - shape));
    for (std::string size; std::getline(sizes, size, ',');) read.shape.push_back(std::stol(size));
    read.numbers.resize((bytes.size() - 10 - length) / 4);
    std::memcpy(read.numbers.data(), bytes.data() + 10 + length, read.numbers.size() * 4);
    return read;
}

} // namespace

TEST_CASE("every value's table holds its numbers bit for bit, as CSV, TSV and NPY") {
    const auto session = a_session();
    run(*session, "change cell encoder.0.self_attn.scores 0 1 1 nan"); // and what follows from it
    const TemporaryFolder folder;
    for (const StoryStep& step : session->model().story) {
        CAPTURE(step.path());
        const Tensor& value = step.node->value;
        const bool sheets = value.batch() > 1;
        for (const char* ending : {"csv", "tsv"}) {
            run(*session, "export " + step.path() + " " + (folder / "value.").string() + ending);
            const auto table =
                cells_of(folder.read(std::string("value.") + ending), ending[0] == 'c' ? ',' : '\t');
            const std::size_t labels = sheets ? 2 : 1;
            REQUIRE(table.size() == std::size_t(1 + value.batch() * value.rows()));
            for (std::size_t line = 0; line < table.size(); ++line) {
                REQUIRE(table[line].size() == labels + std::size_t(value.columns()));
                if (line == 0) continue;
                const Index row = Index(line - 1) % value.rows(), batch = Index(line - 1) / value.rows();
                if (sheets) CHECK(table[line][0] == std::to_string(batch));
                for (Index c = 0; c < value.columns(); ++c) {
                    const std::string& cell = table[line][labels + std::size_t(c)];
                    if (bits_of(std::strtof(cell.c_str(), nullptr)) != bits_of(float(value(batch, row, c))))
                        FAIL(line << ", " << c << ": " << cell);
                }
            }
        }
        run(*session, "export " + step.path() + " " + (folder / "value.npy").string());
        const Npy npy = read_npy(folder.read("value.npy"));
        CHECK(npy.header.find("'<f4'") != std::string::npos);
        std::vector<long> shape = {long(value.rows()), long(value.columns())};
        if (step.node->axes.per_head) shape.insert(shape.begin(), long(value.batch()));
        CHECK(npy.shape == shape);
        REQUIRE(npy.numbers.size() == std::size_t(value.size()));
        for (std::size_t i = 0; i < npy.numbers.size(); ++i)
            if (bits_of(npy.numbers[i]) != bits_of(float(value.data()[i]))) FAIL(i);
    }
    CHECK(folder.count_files() == 3);
}

TEST_CASE("labels stand beside the numbers, and one head is one matrix") {
    const auto session = a_session("I am fine");
    const TemporaryFolder folder;
    run(*session, "head 1");
    run(*session, "export decoder.0.cross_attn.weights " + (folder / "w.csv").string());
    CHECK(folder.read("w.csv").starts_with(",i,am,fine,</s>\n<s>,"));
    CHECK(cells_of(folder.read("w.csv"), ',').front().size() == 5);
    run(*session, "export decoder.0.cross_attn.weights " + (folder / "w.md").string());
    CHECK(folder.read("w.md").starts_with("|  | i | am | fine | &lt;/s&gt; |\n| :--- | ---: |"));
    run(*session, "export decoder.0.cross_attn.weights " + (folder / "w.tex").string());
    CHECK(folder.read("w.tex").starts_with(
        "\\begin{tabular}{lrrrr}\n\\hline\n & i & am & fine & \\textless{}/s\\textgreater{} \\\\ \\hline\n"));
    CHECK(folder.read("w.tex").ends_with("\\hline\n\\end{tabular}\n"));
    run(*session, "export card " + (folder / "card.csv").string());
    CHECK(folder.read("card.csv").starts_with(",0\n"));
}

TEST_CASE("measures, sweeps and attributions go into tables as a whole") {
    const auto session = a_session("I am fine");
    const TemporaryFolder folder;
    run(*session, "head 1");
    run(*session, "export measures.heads.decoder.0.self_attn.previous " + (folder / "p.csv").string());
    CHECK(folder.read("p.csv").size() > 2);
    CHECK_FALSE(session->execute("export sweep " + (folder / "s.csv").string())); // there is none yet
    run(*session, "sweep heads");
    run(*session, "sweep finish");
    run(*session, "export sweep " + (folder / "s.csv").string());
    const auto sweep = cells_of(folder.read("s.csv"), ',');
    CHECK(sweep.size() == 1 + session->model().map().attentions.size());
    CHECK(sweep.front() == std::vector<std::string>{"", "0", "1", "2", "3"});
    CHECK(sweep[1].front() == "encoder.0.self_attn");
    run(*session, "export sweep " + (folder / "s.npy").string());
    CHECK(read_npy(folder.read("s.npy")).shape == std::vector<long>{long(sweep.size()) - 1, 4});
    run(*session, "export attribution " + (folder / "a.csv").string());
    const auto parts = cells_of(folder.read("a.csv"), ',');
    CHECK(parts.size() > 10);
    double sum = 0;
    for (std::size_t i = 1; i < parts.size(); ++i) sum += std::stod(parts[i].at(1));
    CHECK(sum == doctest::Approx(double(session->attribution()->logit->value(0, 0, 0))).epsilon(1e-3));
    CHECK_FALSE(session->execute("export sweep " + (folder / "s.png").string()));
}

TEST_CASE("a table that cannot be written leaves what was there") {
    const auto session = a_session("I am fine");
    const TemporaryFolder folder;
    folder.write("w.csv", "mine");
    std::filesystem::create_directories(folder / "folder.npy");
    for (const std::string& line : {"export output.logits " + (folder / "folder.npy").string(),
                                    std::string("export output.logits /no/such/place/w.csv"),
                                    "export output.logits " + (folder / "w.docx").string(),
                                    "export output.logits " + (folder / "w.csv").string() + " 9",
                                    "export canvas " + (folder / "w.csv").string()})
        CHECK_FALSE(session->execute(line));
    CHECK(folder.read("w.csv") == "mine");
    CHECK(folder.count_files() == 2);
}
