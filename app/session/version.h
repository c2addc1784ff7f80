// Numbers that tell computations apart: another with every call, in this session or any other.
#pragma once

namespace headlight {

unsigned long next_version();

} // namespace headlight
