// The address carries the session: its commands, deflated, as letters that need no escaping.
"use strict";

const headlightLink = (function () {
  const sign = "#s=", longest = 64 * 1024; // letters, and bytes that they unpack to (app/session/window_sessions.h)
  let written = "", shown = "", isBusy = false;

  async function pack(text) {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    let letters = "";
    for (const byte of new Uint8Array(await new Response(stream).arrayBuffer())) letters += String.fromCharCode(byte);
    return sign + btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }

  async function unpackBytes(packed) {
    const letters = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    for (let length = 0; ;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      length += value.length;
      if (length > longest) return reader.cancel(), null; // a few letters may unpack to anything
      text += decoder.decode(value, { stream: true });
    }
  }

  // { text } of a link, none where there is no link; or { trouble }, the key of a sentence.
  async function read(hash) {
    if (!hash.startsWith(sign)) return { text: "" };
    const packed = hash.slice(sign.length);
    try {
      const text = packed.length > longest ? null : await unpackBytes(packed);
      return text === null ? { trouble: "error.link_too_long" } : { text };
    } catch (damaged) {
      return { trouble: "error.link_damaged" };
    }
  }

  async function follow(module) {
    if (location.hash === shown) return;
    isBusy = true;
    shown = location.hash;
    const { text, trouble } = await read(shown);
    if (trouble) module.ccall("headlight_report", null, ["string"], [trouble]);
    else if (text) module.ccall("headlight_follow", null, ["string"], [text]);
    written = module.ccall("headlight_link", "string", [], []);
    isBusy = false;
  }

  return {
    read,
    begin(module) {
      shown = location.hash;
      written = module.ccall("headlight_link", "string", [], []);
      window.addEventListener("hashchange", () => follow(module));
    },
    // Now and then: what has changed stands in the address, unless it is more than a link may say.
    async look(module) {
      if (isBusy) return;
      const now = module.ccall("headlight_link", "string", [], []);
      if (now === written) return;
      isBusy = true;
      written = now;
      const before = location.hash, packed = now.length > longest ? "" : await pack(now);
      if (location.hash === before) { // else somebody has put a link there meanwhile
        shown = packed;
        try {
          history.replaceState(null, "", packed || location.pathname + location.search);
        } catch (none) { /* a frame without an address of its own */ }
      }
      isBusy = false;
    },
  };
})();
