# HEADLIGHT_HAS_AVX2, HEADLIGHT_HAS_AVX512: this machine runs code of the levels x86-64-v3 and x86-64-v4.
include(CheckCXXSourceRuns)
check_cxx_source_runs([[
int main() {
    const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    return has ? 0 : 1;
}]] HEADLIGHT_HAS_AVX2)
check_cxx_source_runs([[
int main() {
    const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd");
    return has ? 0 : 1;
}]] HEADLIGHT_HAS_AVX512)
