// What a person did, as a queue of events: filled by the window's callbacks or by a script, emptied frame by
// frame. Both roads meet here, so that a scripted test presses the very buttons that a person presses.
#pragma once

#include "app/platform/key.h"

#include <deque>
#include <string>
#include <vector>

namespace headlight {

struct InputEvent {
    enum class Kind { mouse_move, mouse_button, wheel, key, text, focus_lost };

    Kind kind = Kind::mouse_move;
    float x = 0, y = 0;  // mouse_move: position from the top left corner; wheel: steps right and up
    int button = 0;      // mouse_button: 0 left, 1 right, 2 middle
    bool down = false;   // mouse_button, key
    Key key = Key::none; // key
    std::string text;    // text: UTF-8
};

class InputQueue {
public:
    void push(InputEvent event) { events_.push_back(std::move(event)); }

    void move_mouse(float x, float y);
    void press_mouse(int button = 0);
    void release_mouse(int button = 0);
    void click(float x, float y, int button = 0); // move, press, release
    void turn_wheel(float steps_up, float steps_right = 0);
    void press_key(const Chord& chord); // modifiers down, key down, all up again
    void type_text(std::string text);

    bool empty() const { return events_.empty(); }

    // Takes from the front what one frame may see: at most one change of each key and button, so that no
    // press is lost however short it was and however slow the frame; no pointer movement after a press; and
    // no mixture of typed text and editing keys, whose order inside one frame would be lost.
    std::vector<InputEvent> next_frame();

private:
    std::deque<InputEvent> events_;
};

} // namespace headlight
