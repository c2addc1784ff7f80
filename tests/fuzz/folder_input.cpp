#include "tests/fuzz/folder_input.h"

#include <algorithm>
#include <set>
#include <vector>

#include <sys/stat.h>

namespace headlight::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view mark = "@@@@ ";

// A name that stays in its folder.
std::string safe_name(std::string_view name) {
    std::string safe(name.substr(0, 80));
    for (char& c : safe)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_' && c != '-') c = '_';
    return safe.find_first_not_of('.') == safe.npos ? "_" : safe;
}

struct Part {
    std::string name;
    char kind = ' '; // '|' a pipe, '/' a folder
    std::string_view bytes;
};

std::vector<Part> parts_of(std::string_view packed) {
    std::vector<Part> parts;
    while (packed.starts_with(mark)) {
        packed.remove_prefix(mark.size());
        const std::size_t name_end = std::min(packed.find('\n'), packed.size());
        std::string_view name = packed.substr(0, name_end);
        packed.remove_prefix(std::min(name_end + 1, packed.size()));
        const std::size_t next = packed.find("\n" + std::string(mark));
        Part part;
        part.bytes = packed.substr(0, next);
        if (name.ends_with('|') || name.ends_with('/')) {
            part.kind = name.back();
            name.remove_suffix(1);
        }
        part.name = safe_name(name);
        parts.push_back(std::move(part));
        packed.remove_prefix(next == packed.npos ? packed.size() : next + 1);
    }
    return parts;
}

} // namespace

std::string packed_folder(const fs::path& folder, std::size_t longest_file) {
    std::set<fs::path> files; // in order of name, as nowhere else
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file() && entry.file_size() < longest_file) files.insert(entry.path());
    std::string packed;
    for (const fs::path& file : files) {
        std::ifstream stream(file, std::ios::binary);
        packed += (packed.empty() ? "" : "\n") + std::string(mark) + file.filename().string() + "\n";
        packed.append(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
    return packed;
}

InputFolder::InputFolder() {
    std::error_code ignored; // the folder's place is asked for once, when it is made
    if (!std::getenv("TMPDIR") && fs::is_directory("/dev/shm", ignored)) ::setenv("TMPDIR", "/dev/shm", 0);
    folder_ = std::make_unique<TemporaryFolder>();
}

const fs::path& InputFolder::holding(std::string_view packed) {
    std::set<std::string> wanted;
    for (const Part& part : parts_of(packed)) {
        if (!wanted.insert(part.name).second) continue; // the first of that name
        const fs::path path = *folder_ / part.name;
        if (part.kind == ' ') {
            put(part.name, part.bytes);
            continue;
        }
        fs::remove_all(path);
        there_.erase(part.name);
        if (part.kind == '|')
            ::mkfifo(path.c_str(), 0600);
        else
            fs::create_directory(path);
    }
    std::vector<fs::path> others;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_->path()))
        if (!wanted.contains(entry.path().filename().string())) others.push_back(entry.path());
    for (const fs::path& path : others) {
        fs::remove_all(path);
        there_.erase(path.filename().string());
    }
    return folder_->path();
}

fs::path InputFolder::file(const std::string& name, std::string_view bytes) {
    put(name, bytes);
    return *folder_ / name;
}

void InputFolder::put(const std::string& name, std::string_view bytes) {
    const auto [known, is_new] = there_.try_emplace(name);
    if (!is_new && known->second == bytes) return;
    if (is_new) fs::remove_all(*folder_ / name);
    known->second = bytes;
    folder_->write(name, known->second);
}

} // namespace headlight::fuzz
