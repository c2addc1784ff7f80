#include "engine/task/pair_drawing.h"

namespace headlight {

Result<std::unique_ptr<PairDrawing>> make_pair_drawing(const std::string&, grammar::Direction) {
    return std::unique_ptr<PairDrawing>();
}

} // namespace headlight
