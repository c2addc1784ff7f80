#pragma once

namespace headlight {

// Memory that was freed goes back to the system, of every thread's share. The C library keeps it for later,
// which is wise but after something large that does not come again: each thread that trained leaves as much
// behind as it ever held. Nothing where the library has no such wish. Takes milliseconds.
void give_memory_back();

} // namespace headlight
