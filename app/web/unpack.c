/* What the page fetches is packed as small as it goes: xz, whose decoder browsers do not have. Memory in, memory out. */
#include <emscripten.h>
#include <lzma.h>

/* 1: `out` has `out_size` bytes of what `in` holds packed. */
EMSCRIPTEN_KEEPALIVE int headlight_unpack(const uint8_t* in, size_t in_size, uint8_t* out, size_t out_size) {
    uint64_t memory = UINT64_MAX;
    size_t in_at = 0, out_at = 0;
    return lzma_stream_buffer_decode(&memory, 0, NULL, in, &in_at, in_size, out, &out_at, out_size) == LZMA_OK
           && out_at == out_size;
}
