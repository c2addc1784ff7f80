#include "tests/fuzz/sessions.h"

#include "tests/fuzz/folder_input.h"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>

namespace headlight::fuzz {

namespace {

std::unique_ptr<Session> a_session() {
    const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";
    Result<Strings> strings = Strings::load(assets);
    if (!strings) throw std::runtime_error("no strings");
    return std::make_unique<Session>(assets, *std::move(strings));
}

const std::filesystem::path& small_model() {
    static InputFolder folder;
    static const std::filesystem::path path = [] {
        std::ifstream file(HEADLIGHT_SOURCE_DIR "/tests/data/fuzz/model/own-pairs", std::ios::binary);
        return folder.holding(
            std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
    }();
    return path;
}

} // namespace

Session& session_without_model(const std::string& own) {
    static std::map<std::string, std::unique_ptr<Session>> sessions;
    std::unique_ptr<Session>& session = sessions[own];
    if (!session) session = a_session();
    return *session;
}

Session& session_with_model(const std::string& own) {
    Session& session = session_without_model(own);
    if (!session.has_model()) open_small_model(session);
    return session;
}

void open_small_model(Session& session) {
    if (!session.execute("model " + small_model().string()))
        throw std::runtime_error("the small model does not open");
    (void)session.execute("source a b c");
}

bool is_left_out(std::string_view line) {
    // What the window does with files, and with time, the window's own test sees to.
    constexpr std::string_view left_out[] = {
        "wait",         "save",          "train start", "train step",  "train save",      "train save-all",
        "train wait",
        "race start",   "race continue", "race wait",   "norms train", "moment continue", "costs measure",
        "lesson record"};
    // What it writes stays in the folder where the program runs.
    constexpr std::string_view writes[] = {"export ", "picture ", "screenshot "};
    const bool leads_away = line.find('/') != line.npos || line.find('~') != line.npos;
    for (std::string_view begin : writes)
        if (leads_away && line.starts_with(begin)) return true;
    return std::any_of(std::begin(left_out), std::end(left_out), [&](std::string_view begin) {
        return line.starts_with(begin) && (line.size() == begin.size() || line[begin.size()] == ' ');
    });
}

} // namespace headlight::fuzz
