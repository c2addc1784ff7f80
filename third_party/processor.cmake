# HEADLIGHT_HAS_AVX2: this machine runs code of the level x86-64-v3.
include(CheckCXXSourceRuns)
check_cxx_source_runs([[
int main() {
    const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    return has ? 0 : 1;
}]] HEADLIGHT_HAS_AVX2)
