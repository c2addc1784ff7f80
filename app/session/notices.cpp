// What is told in passing: for how long, and what ends it.
#include "app/session/session.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

constexpr double seconds_of_a_remark = 4, seconds_of_an_offer = 20;

// Who reads slowly reads ten letters a second, once the notice was seen.
double seconds_to_read(const std::string& text) {
    return std::clamp(3 + double(text.size()) / 10, 6.0, 25.0);
}

} // namespace

void Session::report_text(std::string text) {
    const double seconds = seconds_to_read(text);
    view_.notice = Notice{true, std::move(text), seconds};
}

void Session::tell(std::string_view key, std::vector<std::string> values) {
    view_.notice = Notice{false, strings_.text(std::string(key), values), seconds_of_a_remark};
}

void Session::tell_and_offer(std::string text, std::string offer, std::string command) {
    view_.notice = Notice{false, std::move(text), seconds_of_an_offer, std::move(offer), std::move(command)};
}

// Under a dialog it is not read: there no time goes by for it.
bool Session::advance_notice(double seconds) {
    if (!view_.notice || view_.dialog() != Dialog::none) return false;
    view_.notice->seconds_left -= seconds;
    if (view_.notice->seconds_left > 0) return false;
    view_.notice.reset();
    return true;
}

} // namespace headlight
