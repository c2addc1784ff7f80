// Fingers: a tap is a click, a drag pulls or scrolls, two fingers zoom and move, a long press points without
// pressing, as a mouse that rests: what is there is explained, and a finger that then moves points on.
"use strict";

const headlightTouch = (function () {
  const far = 9, longPress = 550, zoomStep = 1.12; // dots; milliseconds; a step of the wheel
  let module, canvas, typing, pixels;
  const fingers = new Map();
  let first = null, pinch = null, timer = 0, wantsKeyboard = false, hasTouched = false;

  const place = (x, y) => {
    const { left, top } = canvas.getBoundingClientRect();
    module._headlight_point((x - left) * pixels(), (y - top) * pixels());
  };
  const button = (which, down) => module._headlight_button(which, down ? 1 : 0);

  function release() {
    clearTimeout(timer);
    if (first && first.pressed) button(0, false);
    first = null;
  }

  function spread() {
    const [a, b] = [...fingers.values()];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  }

  function begin(event) {
    if (event.pointerType !== "touch") return;
    event.preventDefault();
    hasTouched = true;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 1) {
      first = { id: event.pointerId, x: event.clientX, y: event.clientY, pressed: false, moved: false };
      place(event.clientX, event.clientY);
      timer = setTimeout(() => {
        if (first && !first.moved) first.points = true;
      }, longPress);
    } else if (fingers.size === 2) {
      release();
      pinch = spread();
      place(pinch.x, pinch.y);
    }
  }

  function move(event) {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const dx = event.clientX - finger.x, dy = event.clientY - finger.y;
    finger.x = event.clientX, finger.y = event.clientY;
    if (pinch && fingers.size === 2) {
      const now = spread();
      place(now.x, now.y);
      const steps = Math.log(Math.max(now.distance, 1) / Math.max(pinch.distance, 1)) / Math.log(zoomStep);
      if (Math.abs(steps) > 0.02) {
        module._headlight_wheel(0, steps);
        pinch = now;
      }
      return;
    }
    if (!first || first.id !== event.pointerId) return;
    if (first.points) {
      place(finger.x, finger.y);
      return;
    }
    if (!first.moved && Math.hypot(finger.x - first.x, finger.y - first.y) < far) return;
    if (!first.moved) {
      first.moved = true;
      clearTimeout(timer);
      const step = module._headlight_scroll_step();
      const upright = Math.abs(finger.y - first.y) > Math.abs(finger.x - first.x);
      if (step > 0 && upright) first.scrolls = step;
      else { // pulls what there is to pull
        place(first.x, first.y);
        button(0, true);
        first.pressed = true;
      }
    }
    if (first.scrolls) module._headlight_wheel(0, dy * pixels() / first.scrolls);
    else place(finger.x, finger.y);
  }

  function end(event) {
    if (!fingers.delete(event.pointerId)) return;
    if (first && first.id === event.pointerId) {
      if (!first.moved && !first.points) { // a tap
        place(event.clientX, event.clientY);
        button(0, true);
        first.pressed = true;
      }
      release();
    }
    // A finger that has gone points at nothing.
    if (fingers.size === 0) setTimeout(() => { if (fingers.size === 0) module._headlight_point(-1, -1); }, 300);
    if (fingers.size < 2) pinch = null;
    if (fingers.size === 0) setTimeout(() => { if (wantsKeyboard) typing.focus({ preventScroll: true }); }, 60);
  }

  return {
    begin(program, on, field, dots) {
      module = program, canvas = on, typing = field, pixels = dots;
      canvas.addEventListener("pointerdown", begin);
      canvas.addEventListener("pointermove", move);
      canvas.addEventListener("pointerup", end);
      canvas.addEventListener("pointercancel", end);
    },
    follow(isTyping) {
      if (isTyping === wantsKeyboard) return;
      wantsKeyboard = isTyping;
      if (!hasTouched) return;
      if (isTyping) typing.focus({ preventScroll: true });
      else typing.blur(); // the keyboard on the screen goes
    },
  };
})();
