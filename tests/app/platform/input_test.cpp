#include "app/platform/input.h"

#include <doctest/doctest.h>

using namespace headlight;

namespace {

std::vector<std::vector<InputEvent>> frames_of(InputQueue& queue) {
    std::vector<std::vector<InputEvent>> frames;
    while (!queue.empty()) frames.push_back(queue.next_frame());
    return frames;
}

} // namespace

TEST_CASE("a key pressed and let go between two frames is seen down in one frame and up in the next") {
    InputQueue queue;
    queue.press_key({Key::backspace});
    const auto frames = frames_of(queue);
    REQUIRE(frames.size() == 2);
    CHECK(frames[0].back().down);
    CHECK_FALSE(frames[1].back().down);
}

TEST_CASE("a chord stays one though its modifier is let go first, or another follows, within one frame") {
    const auto key = [](Key which, bool down) {
        InputEvent event;
        event.kind = InputEvent::Kind::key;
        event.key = which;
        event.down = down;
        return event;
    };
    InputQueue queue;
    queue.push(key(Key::left_ctrl, true));
    CHECK(queue.next_frame().size() == 1); // a frame is drawn while the fingers go on
    for (const auto& [which, down] :
         {std::pair{Key::o, true}, {Key::left_ctrl, false}, {Key::o, false}, {Key::left_shift, true}})
        queue.push(key(which, down));
    const auto frames = frames_of(queue);
    REQUIRE(frames.size() == 2);
    REQUIRE(frames[0].size() == 1);
    CHECK(frames[0][0].key == Key::o);
    CHECK(frames[1].front().key == Key::left_ctrl);
    // A letter before its modifier is a letter.
    queue.push(key(Key::z, true));
    queue.push(key(Key::left_ctrl, true));
    CHECK(frames_of(queue).size() == 2);
}

TEST_CASE("three quick presses of one key remain three") {
    InputQueue queue;
    for (int press = 0; press < 3; ++press) queue.press_key({Key::backspace});
    int presses = 0;
    for (const auto& frame : frames_of(queue)) {
        int changes = 0;
        for (const InputEvent& event : frame) changes += event.key == Key::backspace;
        CHECK(changes == 1);
        presses += frame.front().down;
    }
    CHECK(presses == 3);
}

TEST_CASE("a click happens where the pointer was, although it has moved on before the frame") {
    InputQueue queue;
    queue.click(10, 20);
    queue.move_mouse(300, 300);
    const auto frames = frames_of(queue);
    REQUIRE(frames.size() == 3);
    CHECK(frames[0].front().x == 10);
    CHECK(frames[0].back().down);
    CHECK_FALSE(frames[1].front().down);
    CHECK(frames[2].front().x == 300);
}

TEST_CASE("text and the editing keys among it keep their order") {
    InputQueue queue;
    queue.type_text("rat");
    queue.press_key({Key::backspace});
    queue.type_text("to");
    const auto frames = frames_of(queue);
    REQUIRE(frames.size() == 4);
    CHECK(frames[0].front().text == "rat");
    CHECK(frames[1].front().key == Key::backspace);
    CHECK(frames[3].front().text == "to");
}

TEST_CASE("a whole word typed between two frames arrives in one") {
    InputQueue queue;
    for (const char* letter : {"r", "o", "u", "p", "a"}) queue.type_text(letter);
    CHECK(frames_of(queue).size() == 1);
}

TEST_CASE("chords are read and written by name") {
    const auto chord = parse_chord("ctrl+shift+z");
    REQUIRE(chord);
    CHECK(*chord == Chord{Key::z, true, true});
    CHECK(to_string(*chord) == "ctrl+shift+z");
    CHECK(parse_chord("f5")->key == Key::f5);
    CHECK(parse_chord("/")->key == Key::slash);
    CHECK_FALSE(parse_chord("ctrl+nothing"));
    CHECK_FALSE(parse_chord("hyper+z"));
    CHECK_FALSE(parse_chord(""));
    for (int key = 1; key < int(Key::count); ++key)
        CHECK(parse_chord(to_string(Chord{Key(key)}))->key == Key(key));
}
