// What C++20 has and the library of Debian's emscripten (libc++ 13) has not: included before every source of
// the page, so that the sources are the same standard C++ everywhere. Nothing is left of it with a later
// library.
#pragma once

#include <version>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 15000

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, from);
}

namespace ranges {

template <class R, class Predicate>
bool any_of(R&& range, Predicate predicate) {
    return std::any_of(std::begin(range), std::end(range), std::move(predicate));
}
template <class R, class Predicate>
bool all_of(R&& range, Predicate predicate) {
    return std::all_of(std::begin(range), std::end(range), std::move(predicate));
}
template <class R, class Predicate>
auto find_if(R&& range, Predicate predicate) {
    return std::find_if(std::begin(range), std::end(range), std::move(predicate));
}
template <class R, class T>
auto find(R&& range, const T& value) {
    return std::find(std::begin(range), std::end(range), value);
}
template <class R, class Predicate>
bool none_of(R&& range, Predicate predicate) {
    return std::none_of(std::begin(range), std::end(range), std::move(predicate));
}
template <class R1, class R2, class Predicate = std::equal_to<>>
bool equal(const R1& a, const R2& b, Predicate predicate = {}) {
    return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b), std::move(predicate));
}
template <class R, class Compare = std::less<>, class Projection = std::identity>
auto min_element(R&& range, Compare compare = {}, Projection projection = {}) {
    return std::min_element(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
        return std::invoke(compare, std::invoke(projection, a), std::invoke(projection, b));
    });
}
template <class R, class Compare = std::less<>, class Projection = std::identity>
void stable_sort(R&& range, Compare compare = {}, Projection projection = {}) {
    std::stable_sort(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
        return std::invoke(compare, std::invoke(projection, a), std::invoke(projection, b));
    });
}
template <class R, class T>
auto lower_bound(R&& range, const T& value) {
    return std::lower_bound(std::begin(range), std::end(range), value);
}

} // namespace ranges

namespace views {

template <class Predicate>
struct Filter {
    Predicate predicate;
};
template <class Predicate>
Filter<Predicate> filter(Predicate predicate) {
    return {std::move(predicate)};
}
template <class R, class Predicate>
auto operator|(const R& range, const Filter<Predicate>& filter) {
    std::vector<std::remove_cvref_t<decltype(*std::begin(range))>> kept;
    std::copy_if(std::begin(range), std::end(range), std::back_inserter(kept), std::ref(filter.predicate));
    return kept;
}

} // namespace views

namespace headlight_web {

inline to_chars_result put(char* first, char* last, const std::string& text) {
    if (last - first < ptrdiff_t(text.size())) return {last, errc::value_too_large};
    return {std::copy(text.begin(), text.end(), first), errc()};
}

inline std::string printed(const char* format, int precision, double x) {
    const int length = std::snprintf(nullptr, 0, format, precision, x);
    std::string text(size_t(length) + 1, '\0');
    std::snprintf(text.data(), text.size(), format, precision, x);
    text.resize(size_t(length));
    return text;
}

template <class T>
T read_back(const std::string& text) {
    if constexpr (sizeof(T) == sizeof(float))
        return std::strtof(text.c_str(), nullptr);
    else
        return std::strtod(text.c_str(), nullptr);
}

// The fewest digits that read back as the same number.
template <class T>
std::string shortest_scientific(T x) {
    std::string text;
    for (int precision = 0; precision <= 17; ++precision)
        if (text = printed("%.*e", precision, double(x)); read_back<T>(text) == x) break;
    return text;
}

template <class T>
std::string shortest_fixed(T x) {
    const std::string scientific = shortest_scientific(x);
    const size_t e = scientific.find('e');
    const int digits = int(std::count_if(scientific.begin(), scientific.begin() + ptrdiff_t(e),
                                         [](char c) { return c >= '0' && c <= '9'; }));
    const int exponent = std::atoi(scientific.c_str() + e + 1);
    return printed("%.*f", std::max(0, digits - 1 - exponent), double(x));
}

inline std::string not_finite(double x) {
    return std::string(std::signbit(x) ? "-" : "") + (std::isnan(x) ? "nan" : "inf");
}

template <class T>
std::string shortest(T x) {
    const std::string fixed = shortest_fixed(x), scientific = shortest_scientific(x);
    return scientific.size() < fixed.size() ? scientific : fixed;
}

template <class T>
std::string shortest(T x, chars_format format) {
    if (format == chars_format::fixed) return shortest_fixed(x);
    const std::string scientific = shortest_scientific(x);
    if (format == chars_format::scientific) return scientific;
    const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
    return exponent < -4 || exponent >= 6 ? scientific : shortest_fixed(x);
}

// As many characters as are a number in the notation of from_chars; 0: none.
inline size_t length_of_number(const char* first, const char* last) {
    const char* at = first;
    const auto is_digit = [&] { return at != last && *at >= '0' && *at <= '9'; };
    if (at != last && *at == '-') ++at;
    for (const char* word : {"infinity", "inf", "nan"}) {
        const size_t length = std::strlen(word);
        if (size_t(last - at) < length) continue;
        const bool is_it = std::equal(at, at + length, word, [](char a, char b) { return (a | 32) == b; });
        if (is_it) return size_t(at - first) + length;
    }
    bool has_digits = false;
    for (; is_digit(); ++at) has_digits = true;
    if (at != last && *at == '.')
        for (++at; is_digit(); ++at) has_digits = true;
    if (!has_digits) return 0;
    const char* const mantissa = at;
    if (at != last && (*at | 32) == 'e') {
        ++at;
        if (at != last && (*at == '+' || *at == '-')) ++at;
        if (!is_digit()) return size_t(mantissa - first);
        while (is_digit()) ++at;
    }
    return size_t(at - first);
}

} // namespace headlight_web

template <class T>
requires is_floating_point_v<T> to_chars_result to_chars(char* first, char* last, T x) {
    using namespace headlight_web;
    return put(first, last, isfinite(x) ? shortest(x) : not_finite(double(x)));
}
template <class T>
requires is_floating_point_v<T> to_chars_result to_chars(char* first, char* last, T x, chars_format format) {
    using namespace headlight_web;
    return put(first, last, isfinite(x) ? shortest(x, format) : not_finite(double(x)));
}
template <class T>
requires is_floating_point_v<T> to_chars_result to_chars(char* first, char* last, T x, chars_format format,
                                                         int precision) {
    using namespace headlight_web;
    const char* notation = format == chars_format::fixed        ? "%.*f"
                           : format == chars_format::scientific ? "%.*e"
                                                                : "%.*g";
    return put(first, last, isfinite(x) ? printed(notation, precision, double(x)) : not_finite(double(x)));
}

template <class T>
requires is_floating_point_v<T> from_chars_result from_chars(const char* first, const char* last, T& x,
                                                             chars_format = chars_format::general) {
    const size_t length = headlight_web::length_of_number(first, last);
    if (length == 0) return {first, errc::invalid_argument};
    const string text(first, length);
    errno = 0;
    const T read = headlight_web::read_back<T>(text);
    const bool overflows = isinf(read) && text.find_first_of("nN") == string::npos;
    const bool underflows = read == 0 && text.find_first_of("123456789") < text.find_first_of("eE");
    if (overflows || underflows) return {first + length, errc::result_out_of_range};
    x = read;
    return {first + length, errc()};
}

_LIBCPP_END_NAMESPACE_STD

#endif
