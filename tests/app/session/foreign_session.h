// Architectures that nobody ships, opened in a session: weights that were never trained, and words of their
// own.
#pragma once

#include "app/session/session.h"
#include "tests/engine/model/foreign_models.h"

#include <memory>
#include <string>

namespace headlight::test {

// Only a model that has two vocabularies has a second one: who reads the wrong words finds none.
std::shared_ptr<LoadedModel> foreign_loaded(const ForeignModel& foreign);

} // namespace headlight::test
