// Keys, text, pointer and wheel, as the program's own events. What belongs to the browser stays its own: Tab, F5,
// F11, F12, Ctrl with W, T, N, R, L, +, −, 0, and Alt with arrows.
"use strict";

const headlightInput = (function () {
  const named = {
    ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", PageUp: "page_up",
    PageDown: "page_down", Home: "home", End: "end", Insert: "insert", Delete: "delete", Backspace: "backspace",
    " ": "space", Enter: "enter", Escape: "escape",
  };
  const places = {
    Quote: "'", Comma: ",", Minus: "-", Period: ".", Slash: "/", Semicolon: ";", Equal: "=", BracketLeft: "[",
    Backslash: "\\", BracketRight: "]", Backquote: "`", NumpadSubtract: "-", NumpadDivide: "/", NumpadDecimal: ".",
    ControlLeft: "ctrl", ShiftLeft: "shift", AltLeft: "alt", MetaLeft: "super", ControlRight: "right_ctrl",
    ShiftRight: "right_shift", AltRight: "right_alt", MetaRight: "right_super", NumpadEnter: "keypad_enter",
  };
  const own = new Set(["F1", "F2", "F3", "F4", "F6", "F7", "F8", "F9", "F10"]);
  const ofBrowser = new Set(["w", "t", "n", "r", "l", "+", "-", "0", "=", "q", "p", "j", "u", "f", "d", "h"]);

  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  // In a frame of another page, that one has the keyboard and the wheel until somebody presses here.
  const isEmbedded = window.parent !== window;
  let module, canvas, typing, down = new Map(), composing = false, isEntered = false;

  function nameOf(event) {
    if (named[event.key]) return event.code === "NumpadEnter" ? "keypad_enter" : named[event.key];
    if (/^[a-zA-Z]$/.test(event.key)) return event.key.toLowerCase();
    if (/^F([1-9]|10)$/.test(event.key) && own.has(event.key)) return event.key.toLowerCase();
    if (isMac && event.key === "Meta") return "ctrl"; // ⌘C is Ctrl+C
    if (places[event.code]) return places[event.code];
    const place = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code);
    return place ? place[1].toLowerCase() : "";
  }

  const send = (name, pressed) => module.ccall("headlight_key", null, ["string", "number"], [name, pressed ? 1 : 0]);

  function isOfBrowser(event) {
    if (event.key === "Tab") return true;
    if (/^F\d+$/.test(event.key)) return !own.has(event.key);
    if (event.altKey && /^Arrow/.test(event.key)) return true;
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      const key = event.key.toLowerCase();
      return ofBrowser.has(key) || (event.shiftKey && (key === "i" || key === "c" || key === "n" || key === "t"));
    }
    return false;
  }

  function keyDown(event) {
    if (event.isComposing || composing || event.keyCode === 229 || isOfBrowser(event)) return;
    if (["Dead", "Process", "Unidentified"].includes(event.key)) return; // an accent, or what an input method takes
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (control && !event.altKey && key === "v") return; // the browser says what is pasted (paste)
    const name = nameOf(event);
    if (!name) return;
    // Characters arrive as text; everything else is done here and not by the browser.
    const writes = event.key.length === 1 && (!control || event.getModifierState("AltGraph"));
    if (!writes && !/^(Control|Shift|Alt|Meta)$/.test(event.key)) event.preventDefault();
    if (event.repeat) return; // the program repeats by itself
    down.set(event.code, name);
    send(name, true);
  }

  function keyUp(event) {
    const name = down.get(event.code);
    down.delete(event.code);
    if (name) send(name, false);
    if (event.key !== "Meta") return;
    for (const other of down.values()) send(other, false); // with ⌘ held, no end of other keys is told
    down.clear();
  }

  // What is composed is seen in the text field of the page, which stands where the caret is.
  function compose(begins) {
    composing = begins;
    typing.classList.toggle("composing", begins);
  }

  function takeText() {
    typing.style.setProperty("--length", typing.value.length + 1);
    if (composing || !typing.value) return;
    module.ccall("headlight_type", null, ["string"], [typing.value.replace(/[\r\n]+/g, " ")]);
    typing.value = "";
  }

  function paste(event) {
    const text = event.clipboardData ? event.clipboardData.getData("text/plain") : "";
    event.preventDefault();
    module.ccall("headlight_paste", null, ["string"], [text]);
    for (const [name, pressed] of [["ctrl", 1], ["v", 1], ["v", 0], ["ctrl", 0]]) send(name, pressed);
  }

  function letGo() {
    down.clear();
    isEntered = false;
    module._headlight_lose_focus();
  }

  const pixels = () => window.devicePixelRatio || 1;
  const point = (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    module._headlight_point((event.clientX - left) * pixels(), (event.clientY - top) * pixels());
  };
  const buttons = [0, 2, 1]; // of the browser: left, middle, right

  return {
    begin(program, on, field) {
      module = program, canvas = on, typing = field;
      document.documentElement.classList.toggle("embedded", isEmbedded);
      typing.addEventListener("keydown", keyDown);
      typing.addEventListener("keyup", keyUp);
      typing.addEventListener("compositionstart", () => compose(true));
      typing.addEventListener("compositionend", () => { compose(false); takeText(); });
      typing.addEventListener("input", takeText);
      typing.addEventListener("paste", paste);
      window.addEventListener("blur", letGo);
      canvas.addEventListener("pointermove", (event) => { if (event.pointerType !== "touch") point(event); });
      canvas.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "touch") return;
        event.preventDefault(); // the field keeps the keyboard
        isEntered = true;
        typing.focus({ preventScroll: true });
        canvas.setPointerCapture(event.pointerId);
        point(event);
        module._headlight_button(buttons[event.button] || 0, 1);
      });
      canvas.addEventListener("pointerup", (event) => {
        if (event.pointerType === "touch") return;
        point(event);
        module._headlight_button(buttons[event.button] || 0, 0);
      });
      canvas.addEventListener("pointerleave", (event) => {
        if (event.pointerType !== "touch") module._headlight_point(-1e6, -1e6);
      });
      canvas.addEventListener("contextmenu", (event) => event.preventDefault());
      canvas.addEventListener("wheel", (event) => {
        if (isEmbedded && !isEntered) return;
        event.preventDefault();
        const step = event.deltaMode === 1 ? 3 : event.deltaMode === 2 ? 1 : 100;
        module._headlight_wheel(-event.deltaX / step, -event.deltaY / step);
      }, { passive: false });
      headlightTouch.begin(module, canvas, typing, pixels);
      if (!isEmbedded) typing.focus({ preventScroll: true });
    },
    // After a frame: whoever types with a keyboard on the screen has it while a field of the program wants text.
    follow() { headlightTouch.follow(module._headlight_is_typing() !== 0); },
  };
})();
