#include "engine/base/threads.h"

#ifdef __EMSCRIPTEN_PTHREADS__
#include <emscripten/threading.h>
#endif

namespace headlight {

bool may_sleep() {
#ifdef __EMSCRIPTEN_PTHREADS__
    return !emscripten_is_main_browser_thread();
#else
    return true;
#endif
}

} // namespace headlight
