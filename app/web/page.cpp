#include "app/web/page.h"
#include "app/session/assets.h"
#include "app/session/navigation.h"
#include "app/session/step_text.h"
#include "app/session/window_sessions.h"
#include "app/ui/asking/asked.h"
#include "engine/base/background.h"
#include "engine/base/stopwatch.h"

#include <algorithm>

namespace headlight {

std::string mirrored_text(const Session& session) {
    std::string text;
    const auto line = [&text](const std::string& one) {
        if (!one.empty()) text += one + "\n";
    };
    if (session.opened().has_model()) {
        line(step_place(session, session.step()));
        line(step_title(session, session.step()));
        line(step_text(session, session.step()));
    }
    const std::optional<NamedCell>& held = session.view().asking.held;
    const Node* node = held ? session.find(held->path) : nullptr;
    if (!node || !session.has(*held)) return text;
    const AskedArithmetic& arithmetic = known_arithmetic(session, *held);
    text += "\n";
    line(value_title(session, *node, held->cell.batch, session.shows_gradient(*node)));
    line(cell_place(session, *node, held->cell) + " = " + arithmetic.value());
    for (const AskedLine& one : arithmetic.lines) line(one.line.text());
    return text;
}

namespace {

constexpr double slow = 0.1;          // seconds
constexpr double without_card = 0.08; // of work before a picture: the processor draws, seldom and slowly

} // namespace

Page::Page(std::filesystem::path assets, Strings strings)
    : session_(std::move(assets), std::move(strings)), memory_(settings_file()) {}

Result<std::unique_ptr<Page>> Page::open(const std::string& language, const std::string& link,
                                         const PageSize& size) {
    const Result<std::filesystem::path> assets = find_assets();
    Result<Strings> strings = assets ? Strings::load(*assets) : assets.error();
    if (!strings) return strings.error();
    if (strings->speaks(language)) strings->set_language(language);
    std::unique_ptr<Page> page(new Page(*assets, *std::move(strings)));
    Session& session = page->session_;
    session.set_patience(Host::usual_patience, Host::words_at_once);
    if (const Result<Done> begun = page->memory_.begin(session, {}); !begun) return begun.error();
    Result<std::unique_ptr<WebWindow>> window = WebWindow::open(size.width, size.height, size.pixels_per_dot);
    if (!window) return window.error();
    page->window_ = *std::move(window);
    Result<std::unique_ptr<Ui>> ui =
        Ui::create(*page->window_, {.dark = session.view().theme == ThemeName::dark,
                                    .presenter = session.view().presenter ? 1.5f : 1.f});
    if (!ui) return ui.error();
    page->ui_ = *std::move(ui);
    page->host_ = std::make_unique<Host>(*page->window_, *page->ui_, session);
    page->host_->desktop_files().use(DesktopChooser::find());
    // Who follows a link is shown what it leads to, not the front door.
    WindowRequest request;
    request.script = link;
    if (const Result<Done> begun = page->memory_.begin(session, *page->host_, request); !begun)
        return begun.error();
    if (!link.empty()) {
        page->host_->canvas().first_steps().skip();
        if (const Result<Done> followed = page->follow(link); !followed) session.report(followed.error());
    } else {
        (void)session.execute("pulse");
    }
    return page;
}

bool Page::frame(double seconds) {
    if (!has_graphics_) {
        (void)advance_background(seconds);
        session_.keep_training();
        return false;
    }
    if (window_->draws_by_processor() && seconds > 0) seconds = std::max(seconds, without_card);
    // Where drawing is slow, as much is worked as is drawn: else nothing would ever be learnt.
    const double left =
        window_->wants_frame() ? std::max(seconds - drawing_, std::min(drawing_, slow)) : seconds;
    if (advance_background(left)) window_->request_frame_within(seconds_between_news(*window_));
    if (!window_->wants_frame()) return false;
    const Stopwatch watch;
    (void)host_->frame();
    drawing_ += 0.2 * (watch.seconds() - drawing_);
    return true;
}

Result<Done> Page::follow(const std::string& link) {
    Result<Done> done = check_link(link);
    if (done) done = session_.replay(link, session_.strings().text("link.name"));
    window_->wake();
    return done;
}

std::string Page::link() const {
    std::string text;
    for (const std::string& line : session_.as_commands()) text += line + "\n";
    return text;
}

std::string Page::title() const {
    const LessonPlayer& lessons = host_->lessons();
    if (lessons.is_open()) return lessons.lesson().title;
    std::string title = session_.strings().text(present_page(session_.view()).title);
    if (session_.opened().has_model()) title += ": " + session_.opened().question().source;
    return title;
}

void Page::lose_graphics() {
    has_graphics_ = false;
    window_->lose_graphics();
}

Result<Done> Page::restore_graphics() {
    Result<Done> restored = ui_->restore_graphics();
    has_graphics_ = bool(restored);
    window_->wake();
    return restored;
}

void Page::keep_settings() {
    memory_.keep_now(session_, *host_, memory_.before().width, memory_.before().height, false);
}

} // namespace headlight
