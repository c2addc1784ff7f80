#include "app/web/page.h"
#include "app/session/assets.h"
#include "app/session/navigation.h"
#include "app/session/link.h"
#include "app/ui/window/window_text.h"
#include "engine/base/background.h"
#include "engine/base/stopwatch.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

constexpr double slow = 0.1;          // seconds
constexpr double without_card = 0.08; // of work before a picture: the processor draws, seldom and slowly

} // namespace

Page::Page(std::filesystem::path assets, Strings strings)
    : session_(std::move(assets), std::move(strings)), memory_(settings_file()) {}

Result<std::unique_ptr<Page>> Page::open(const std::string& language, const std::string& address,
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
    request.script = address;
    if (const Result<Done> begun = page->memory_.begin(session, *page->host_, request); !begun)
        return begun.error();
    session.fetch_model = [page = page.get()](const std::string& name, const std::string& line) {
        page->wanted_ = name;
        page->awaiting_ = Awaiting{Awaiting::line, line};
    };
    if (!address.empty()) {
        page->host_->canvas().first_steps().skip();
        page->follow(address);
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

void Page::follow(const std::string& address) {
    const Result<Link> link = read_link(address);
    const Result<Done> done = link ? follow_link(session_, *link) : link.error();
    if (!wanted_.empty())
        awaiting_ = Awaiting{Awaiting::link, address};
    else if (!done)
        session_.report(done.error());
    window_->wake();
}

Result<Done> Page::execute(const std::string& line) {
    const Result<Done> done = session_.execute(line);
    window_->wake();
    return done;
}

std::string Page::link() const { return link_of(session_); }

std::string Page::place() const {
    const View& view = session_.view();
    const LessonPlayer& lessons = host_->lessons();
    std::string place = std::string(present_page(view).title) + " "
                        + (session_.opened().has_model() ? session_.opened().model().name : "");
    if (lessons.is_open())
        place += " " + lesson_name(lessons.lesson().file) + " " + std::to_string(lessons.card_number());
    return place;
}

std::string Page::text() const { return window_text(session_, host_->lessons()); }

std::string Page::take_wanted_model() {
    if (!wanted_.empty()) session_.dismiss_notice(); // the page tells how much of it has come
    return std::exchange(wanted_, {});
}

void Page::model_came() {
    session_.look_for_models();
    const std::optional<Awaiting> awaited = std::exchange(awaiting_, std::nullopt);
    if (awaited && awaited->what == Awaiting::link)
        follow(awaited->text);
    else if (awaited && awaited->text.starts_with("lesson ")) // it is open, and its card was not set up
        (void)session_.execute("lesson card " + std::to_string(host_->lessons().card_number() + 1));
    else if (awaited && !awaited->text.empty())
        (void)session_.execute(awaited->text);
    window_->wake();
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
