// One function for each target; what it reads stands in its file.
#pragma once

#include "tests/fuzz/target.h"

namespace headlight::fuzz {

Target weights_target(); // targets/weights.cpp
Target config_target();  // targets/models.cpp
Target model_target();
Target tokenizer_target(); // targets/tokenizers.cpp
Target tokenizers_target();
Target pairs_target(); // targets/tasks.cpp
Target labels_target();
Target text_target();
Target grammar_target();
Target session_target(); // targets/sessions.cpp
Target command_target();
Target link_target();
Target random_target();
Target lesson_target();   // targets/lessons.cpp
Target settings_target(); // targets/kept.cpp
Target run_target();
Target race_target();
Target formula_target(); // targets/formulas.cpp
Target lexicon_target(); // targets/language.cpp
Target sentences_target();
Target confidence_target();

} // namespace headlight::fuzz
