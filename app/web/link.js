// The address carries the session: its commands, deflated, as letters that need no escaping.
"use strict";

const headlightLink = (function () {
  const sign = "#s=";
  let written = "", shown = "", isBusy = false;

  const through = async (bytes, stream) =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

  async function pack(text) {
    const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
    let letters = "";
    for (const byte of bytes) letters += String.fromCharCode(byte);
    return sign + btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }

  async function unpack(hash) {
    if (!hash.startsWith(sign)) return "";
    try {
      const letters = atob(hash.slice(sign.length).replace(/-/g, "+").replace(/_/g, "/"));
      const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
      return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
    } catch (damaged) {
      return "";
    }
  }

  return {
    pack, unpack,
    read: () => unpack(location.hash),
    begin(module) {
      shown = location.hash;
      written = module.ccall("headlight_link", "string", [], []);
      window.addEventListener("hashchange", async () => {
        if (location.hash === shown) return;
        shown = location.hash;
        const link = await unpack(shown);
        if (link) module.ccall("headlight_follow", "string", ["string"], [link]);
        written = module.ccall("headlight_link", "string", [], []);
      });
    },
    // Now and then: what has changed stands in the address.
    async look(module) {
      if (isBusy) return;
      const now = module.ccall("headlight_link", "string", [], []);
      if (now === written) return;
      isBusy = true;
      written = now;
      shown = await pack(now);
      history.replaceState(null, "", shown);
      isBusy = false;
    },
  };
})();
