#include "app/ui/window/desktop_files.h"

namespace headlight {

bool DesktopFiles::tend() {
    if (!chooser_) return false;
    const std::optional<Choosing> choosing = session_.view().files.choosing;
    if (choosing && !choosing->here) {
        (void)session_.execute("choose off");
        begin(choosing->wish);
    }
    if (!asked_) return false;
    const DesktopChooser::State state = chooser_->poll();
    if (state == DesktopChooser::State::asking) return true;
    const FileWish wish = *std::exchange(asked_, std::nullopt);
    if (state == DesktopChooser::State::chosen) {
        finish(wish, chooser_->chosen());
    } else if (state == DesktopChooser::State::failed) { // then it will fail again
        chooser_.reset();
        (void)session_.execute("choose " + std::string(kind_of(wish).name) + " here");
    }
    return false;
}

void DesktopFiles::begin(FileWish wish) {
    const FileKind& kind = kind_of(wish);
    const Files& files = session_.view().files;
    DesktopQuestion question;
    question.title = session_.strings().text("file." + std::string(kind.name) + ".title");
    question.folder = files.folder.empty() ? files.session.parent_path() : files.folder;
    question.saves = kind.saves;
    question.folders = kind.folders;
    for (const std::string_view extension : kind.extensions)
        question.patterns.push_back("*" + std::string(extension));
    if (kind.command == "save")
        question.name = files.session.empty() ? session_.strings().text("file.name.session")
                                              : files.session.filename().string();
    if (kind.command == "picture") question.name = session_.strings().text("file.name.picture");
    if (kind.command == "train save") question.name = session_.strings().text("file.name.run");
    asked_ = wish;
    chooser_->ask(question);
}

void DesktopFiles::finish(FileWish wish, std::filesystem::path chosen) {
    const FileKind& kind = kind_of(wish);
    std::error_code none;
    if (kind.saves && !kind.extensions.empty() && !chosen.has_extension()) {
        std::filesystem::path named = chosen;
        named += kind.extensions.front();
        // The desktop has asked about the other name alone: nothing is written over unasked.
        if (!std::filesystem::exists(named, none)) chosen = named;
    }
    if (!session_.execute(std::string(kind.command) + " " + file_argument(chosen))) return;
    for (const std::string_view line : where_it_is_seen(kind)) (void)session_.execute(line);
}

} // namespace headlight
