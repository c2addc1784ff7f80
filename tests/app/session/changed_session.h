// A session of the shipped translation model that is about to be changed.
#pragma once

#include "app/session/session.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace headlight::test {

extern const std::string tired, wide; // the sentences whose "it" is the animal, or the street

std::unique_ptr<Session> a_session(const std::string& sentence = tired,
                                   const std::string& model = "translate-en-pt");

// The command works, or the test fails with its sentence.
void run(Session& session, const std::string& command);
void run(Session& session, std::initializer_list<const char*> commands);

const Tensor& value(const Session& session, const std::string& path);

// Every number of the shown pass, as bits: NaNs too.
std::vector<std::uint32_t> bits(const Session& session);

} // namespace headlight::test
