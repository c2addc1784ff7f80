#include "tests/fuzz/examples.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace headlight::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_example =
    400'000; // bytes: what is larger is mutated too seldom where it counts

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("no such example: " + path.string());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// NAME.repeated stands for a long file: how often, a line that is repeated, and what comes before.
Example example_at(const fs::path& path) {
    Example example{path.string(), contents(path)};
    if (path.extension() != ".repeated") return example;
    std::istringstream lines(example.input);
    std::size_t times = 0;
    std::string repeated;
    lines >> times;
    lines.ignore();
    std::getline(lines, repeated);
    example.input = {std::istreambuf_iterator<char>(lines), std::istreambuf_iterator<char>()};
    for (std::size_t i = 0; i < times; ++i) example.input += repeated;
    return example;
}

// In order of name.
std::vector<fs::path> entries_of(const fs::path& folder, const std::string& extension) {
    std::vector<fs::path> entries;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (extension.empty() || entry.path().extension() == extension) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

void add(std::vector<Example>& examples, const Target& target, const fs::path& path) {
    const bool is_folder = fs::is_directory(path);
    if (is_folder != target.takes_folder) return;
    Example example{path.string(), is_folder ? packed_folder(path) : contents(path)};
    if (example.input.size() <= longest_example) examples.push_back(std::move(example));
}

} // namespace

std::vector<Example> examples_of(const Target& target) {
    const fs::path source = HEADLIGHT_SOURCE_DIR;
    std::vector<Example> examples;
    for (const std::string& path : target.examples) {
        const std::size_t star = path.find("/*");
        if (star == path.npos)
            add(examples, target, source / path);
        else
            for (const fs::path& entry : entries_of(source / path.substr(0, star), path.substr(star + 2)))
                add(examples, target, entry);
    }
    if (const fs::path kept = source / "tests/data/fuzz" / target.name; fs::is_directory(kept))
        for (const fs::path& entry : entries_of(kept, ""))
            examples.push_back({entry.string(), contents(entry)});
    return examples;
}

std::vector<Example> examples_in(const Target& target, const std::vector<std::string>& paths) {
    std::vector<Example> examples;
    for (const std::string& path : paths) {
        if (fs::is_directory(path) && target.takes_folder)
            examples.push_back({path, packed_folder(path)});
        else if (fs::is_directory(path))
            for (const fs::path& entry : entries_of(path, "")) add(examples, target, entry);
        else
            examples.push_back(example_at(path));
    }
    return examples;
}

} // namespace headlight::fuzz
