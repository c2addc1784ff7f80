#include "engine/inspect/cost.h"

#include "engine/tensor/gemm.h"
#include "engine/tensor/lanes.h"

namespace headlight {

InstructionSet instruction_set() {
    InstructionSet set;
    set.at_once = gemm_lanes();
#if defined(__AVX2__) && defined(__FMA__)
    set.used = "AVX2, FMA";
#elif defined(__x86_64__) || defined(__i386__)
    set.used = "SSE2";
#elif defined(__aarch64__)
    set.used = "NEON";
#elif defined(__wasm_simd128__)
    set.used = "WebAssembly SIMD";
#else
    set.used = "C++";
#endif
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    if (gemm_lanes() > lanes) set.used += ", AVX-512";
    __builtin_cpu_init();
#ifndef __AVX2__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) set.other.push_back("AVX2, FMA");
#endif
#ifndef __AVX512F__
    if (gemm_lanes() == lanes && __builtin_cpu_supports("avx512f")) set.other.push_back("AVX-512");
#endif
#endif
    return set;
}

} // namespace headlight
