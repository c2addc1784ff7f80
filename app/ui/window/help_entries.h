// What help's pages are made of.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

// What a person may want, each with how to get it and a button that leads there.
void help_wishes(const ScreenRect& rect, const Session& session, CommandSink& commands);
// Keys with what they do, by what they are for.
void help_keys(const ScreenRect& rect, const Session& session);
// The words of the field, found by typing, each with its name in the other language and where it is seen.
void help_glossary(const ScreenRect& rect, const Session& session, CommandSink& commands);
// Models that others made: what they do, how large they are, where they are to be had.
void help_models(const ScreenRect& rect, const Session& session, CommandSink& commands);
// The registry, for authors of scripts.
void help_commands(const ScreenRect& rect, const Session& session);
// The program, this machine, and whether it computes what PyTorch computed: found when the page is first
// shown.
void help_about(const ScreenRect& rect, const Session& session);

} // namespace headlight
