// The address carries what the window shows (app/session/link.h); a step to another place is a step of the browser's
// back and forward.
"use strict";

const headlightLink = (function () {
  const longest = 64 * 1024; // of older links, letters and bytes that they unpack to
  let module, told = "", shown = "", place = "", isBusy = false;
  const ask = (name) => module.ccall(name, "string", [], []);

  // Before addresses could be read they were packed: "#s=…", lines of commands, deflated.
  async function readOlder(hash) {
    const packed = hash.slice("#s=".length);
    if (packed.length > longest) return "";
    const letters = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    for (let length = 0; ;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > longest) return reader.cancel(), ""; // a few letters may unpack to anything
      text += decoder.decode(value, { stream: true });
    }
    return "#" + (text + decoder.decode()).split("\n").filter((line) => line.trim()).map((line) => {
      const [, key, value] = /^(\S+)\s*(.*)$/.exec(line.trim());
      return key + (value ? "=" + encodeURIComponent(value) : "");
    }).join("&");
  }

  // As the program reads it; damaged ones as what it tells so of.
  const read = (hash) => hash.startsWith("#s=") ? readOlder(hash).catch(() => "#=").then((link) => link || "#=") : Promise.resolve(hash);

  async function follow() {
    if (location.hash === shown) return;
    isBusy = true;
    shown = location.hash;
    module.ccall("headlight_follow", null, ["string"], [await read(shown) || "#"]);
    told = ask("headlight_link");
    place = ask("headlight_place");
    isBusy = false;
  }

  return {
    read,
    begin(program) {
      module = program;
      shown = location.hash;
      told = ask("headlight_link");
      place = ask("headlight_place");
      window.addEventListener("hashchange", follow);
      window.addEventListener("popstate", follow);
    },
    // Now and then: what has changed, and stayed for a moment, stands in the address.
    look() {
      if (isBusy) return;
      const now = ask("headlight_link"), before = told;
      told = now;
      if (now !== before || now === shown || now.length > longest) return;
      const there = ask("headlight_place"), isElsewhere = there !== place;
      place = there;
      shown = now;
      try {
        const address = now === "#" ? location.pathname + location.search : now;
        if (isElsewhere) history.pushState(null, "", address);
        else history.replaceState(null, "", address);
        shown = location.hash || now;
      } catch (none) { /* a frame without an address of its own */ }
    },
  };
})();
