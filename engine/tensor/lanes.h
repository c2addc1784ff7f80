// Several numbers at a time, as the processor computes them: for sources of operations only, because how many
// they are differs between the processors that the library is built for.
#pragma once

#include "engine/tensor/real.h"

#include <algorithm>

namespace headlight {

// Sources that are compiled for other processors than their neighbours have functions of other names.
#if defined(__AVX512F__)
inline namespace of_64_bytes {
constexpr Index vector_bytes = 64;
#elif defined(__AVX__)
inline namespace of_32_bytes {
constexpr Index vector_bytes = 32;
#else
inline namespace of_16_bytes {
constexpr Index vector_bytes = 16;
#endif
constexpr Index lanes = vector_bytes / Index(sizeof(Real));
using Lanes [[gnu::vector_size(vector_bytes)]] = Real;
using LanesAnywhere [[gnu::vector_size(vector_bytes), gnu::aligned(alignof(Real)), gnu::may_alias]] = Real;

inline Lanes load(const Real* from) { return *reinterpret_cast<const LanesAnywhere*>(from); }
inline void store(Real* to, Lanes numbers) { *reinterpret_cast<LanesAnywhere*>(to) = numbers; }
inline void store(Real* to, Real number) { *to = number; }
inline Lanes in_all_lanes(Real x) { return x - Lanes{}; } // beside a vector a number stands in each lane

// T is Lanes or Real: one after another, or one by itself.
template <class T>
T get(const Real* from) {
    if constexpr (sizeof(T) == sizeof(Real))
        return *from;
    else
        return load(from);
}

// f.operator()<T>(i) for places 0 … n − 1, as many at a time as there are lanes and the rest one by one:
// in_lanes(n, [&]<class T>(Index i) { store(y + i, get<T>(x + i) * 2); });
template <class F>
void in_lanes(Index n, const F& f) {
    Index i = 0;
    for (; i + lanes <= n; i += lanes) f.template operator()<Lanes>(i);
    for (; i < n; ++i) f.template operator()<Real>(i);
}

// Of all lanes: one half with the other, until there is one number.
template <Index count = lanes, class Vector, class F>
Real folded(Vector numbers, const F& f) {
    if constexpr (count == 1) {
        return numbers[0];
    } else {
        using Half [[gnu::vector_size(count / 2 * Index(sizeof(Real)))]] = Real;
        Half low, high;
        __builtin_memcpy(&low, &numbers, sizeof low);
        __builtin_memcpy(&high, reinterpret_cast<const char*>(&numbers) + sizeof low, sizeof high);
        return folded<count / 2>(f(low, high), f);
    }
}

class Sum {
public:
    void add(Lanes numbers) { wide_ += numbers; }
    void add(Real number) { rest_ += number; }
    Real total() const {
        return rest_ + folded(wide_, [](auto a, auto b) { return a + b; });
    }

private:
    Lanes wide_{};
    Real rest_ = 0;
};

inline Real sum_of(const Real* x, Index n) {
    Sum sum;
    in_lanes(n, [&]<class T>(Index i) { sum.add(get<T>(x + i)); });
    return sum.total();
}

inline Real dot_of(const Real* x, const Real* y, Index n) {
    Sum sum;
    in_lanes(n, [&]<class T>(Index i) { sum.add(get<T>(x + i) * get<T>(y + i)); });
    return sum.total();
}

// n > 0.
inline Real largest_of(const Real* x, Index n) {
    Real largest = x[0];
    if (n < lanes) {
        for (Index i = 1; i < n; ++i) largest = x[i] > largest ? x[i] : largest;
        return largest;
    }
    const auto larger = [](auto a, auto b) { return a > b ? a : b; };
    Lanes wide = load(x + n - lanes); // the last ones, which may be looked at twice
    for (Index i = 0; i + lanes <= n; i += lanes) wide = larger(load(x + i), wide);
    return std::max(largest, folded(wide, larger));
}

} // inline namespace
} // namespace headlight
