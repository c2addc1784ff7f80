#include "app/ui/window/host.h"

#include <utility>

namespace headlight {

bool DesktopFiles::tend() {
    if (!chooser_) return false;
    const std::optional<Choosing> choosing = session_.view().files.choosing;
    if (choosing && !choosing->here) {
        (void)session_.execute("choose off");
        begin(*choosing);
    }
    if (!asked_) return false;
    const DesktopChooser::State state = chooser_->poll();
    if (state == DesktopChooser::State::asking) return true;
    const Choosing asked = *std::exchange(asked_, std::nullopt);
    if (state == DesktopChooser::State::chosen) {
        finish(asked, chooser_->chosen());
    } else if (state == DesktopChooser::State::failed) { // then it will fail again
        chooser_.reset();
        (void)session_.execute("choose " + std::string(kind_of(asked.request).name)
                               + (asked.what.empty() ? " here" : " " + asked.what + " " + asked.name));
    }
    return false;
}

void DesktopFiles::begin(const Choosing& choosing) {
    const FileKind& kind = kind_of(choosing.request);
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
    if (!choosing.name.empty()) question.name = choosing.name;
    asked_ = choosing;
    chooser_->ask(question);
}

void DesktopFiles::finish(const Choosing& choosing, std::filesystem::path chosen) {
    const FileKind& kind = kind_of(choosing.request);
    std::error_code none;
    if (kind.saves) {
        // The desktop has asked about the other name alone: nothing is written over unasked.
        const std::filesystem::path named = with_ending(choosing, chosen);
        if (!std::filesystem::exists(named, none)) chosen = named;
    }
    if (!session_.execute(command_of(choosing) + " " + file_argument(chosen))) return;
    for (const std::string_view line : where_it_is_seen(kind)) (void)session_.execute(line);
}

} // namespace headlight
