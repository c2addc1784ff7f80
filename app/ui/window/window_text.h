// What a window shows, as text: for a page, which sets it as elements of its own beside the canvas
// (app/web/text.js), so that it can be read aloud, copied, searched, translated and typed into as text is.
#pragma once

#include "app/lessons/player.h"

#include <string>
#include <string_view>

namespace headlight {

// One object of JSON. What is not there is null or left out:
//
//   language, theme, title; page: where it is
//   pages     [{title, do, here}…]; models [{name, title, here}…]
//   sentence  {typed, words: [{text, unknown}], answer, guess, examples: […]}
//   about     what the page is for; values [{path, title}…]: what matrix_text has of it
//   points    [{word, x, y, do}…]: what is dragged there
//   step      {number, steps, place, title, text, formula, path}
//   film      {on, playing, scene, scenes, title, text, formula, asks, seconds, length}; of a model that has
//   one lesson    {name, title, card, cards, done: […], blocks: […], trouble, score, next, found} held
//   {place, title, cell, value, covered, formula, lines: [{text, terms: [{label, text, number, go}]}]}
//   training  {name, runs, step, loss, exact, trouble, curve: [[step, loss, exact]…]}
//   notice    {text, error, offer, do}
//
// A block is {kind: paragraph|heading|item|code|row|question, spans: […] or cells: [[…]…]}; a span {text,
// strong, emphasis, code} or {math}, of a link with {do: commands, says: its number, at: "PATH HEAD ROW
// COLUMN"}. A question has {asks: number|cell|choice, open, blocks, choices: [{spans, right, chosen,
// reason}], verdict, how, where}.
std::string window_text(const Session& session, const LessonPlayer& lessons);

// A matrix as a table: {title, head, heads, rows: […], columns: […], cells: [[…]…], cut}: numbers as they are
// written,
// "" of one that is not to be seen yet. As it is drawn. At most `most` rows and columns; "{}" of what is not there.
std::string matrix_text(const Session& session, std::string_view path, Index head, Index most = 40);

} // namespace headlight
