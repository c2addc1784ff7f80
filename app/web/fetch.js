// What the page fetches, packed, and how much of it has come. Where a page may not fetch (opened as a file, or in a frame
// whose sandbox gives it no origin) the same comes as scripts, which it may load: NAME.js calls headlightFetch.part.
"use strict";

const headlightFetch = (function () {
  const isBare = location.protocol === "file:" || window.origin === "null";
  const came = {}, expected = {}, parts = {}, waiting = {};
  const versioned = (name) => name + "?v=" + headlightBuild;
  let tell = () => {};

  function note(name, bytes) {
    came[name] = bytes;
    const sum = (numbers) => Object.values(numbers).reduce((a, b) => a + b, 0);
    tell(name, sum(came), sum(expected));
  }

  function load(script) {
    return new Promise((done, failed) => {
      const tag = document.createElement("script");
      tag.src = versioned(script);
      tag.onload = done;
      tag.onerror = () => failed(new Error(script));
      document.head.append(tag);
    });
  }

  async function asScript(name) {
    const came = new Promise((done) => { waiting[name] = done; });
    await load(name + ".js");
    await came;
    const bytes = Uint8Array.from(atob(parts[name]), (letter) => letter.charCodeAt(0));
    delete parts[name];
    note(name, bytes.length);
    return new Blob([bytes]);
  }

  async function asFile(name) {
    const response = await fetch(versioned(name));
    if (!response.ok) throw new Error(name + ": " + response.status);
    const all = [];
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      all.push(value);
      note(name, came[name] + value.length);
    }
    return new Blob(all);
  }

  // Unpacked here, unless the server has said that it is packed and the browser has done so.
  async function packed(name, type) {
    expected[name] = headlightSizes[name] || 0;
    came[name] = 0;
    const bytes = isBare ? await asScript(name) : await asFile(name).catch((fault) => {
      throw fault instanceof TypeError ? new Error(name) : fault; // no answer
    });
    const head = new Uint8Array(await bytes.slice(0, 2).arrayBuffer());
    const isPacked = head[0] === 0x1f && head[1] === 0x8b;
    const stream = isPacked ? bytes.stream().pipeThrough(new DecompressionStream("gzip")) : bytes.stream();
    delete came[name], delete expected[name];
    return new Response(stream, { headers: { "Content-Type": type } });
  }

  return {
    isBare, load, packed,
    // `listener` is told a name, bytes that came and bytes that are expected, of all that is on its way.
    onProgress(listener) { tell = listener; },
    part(name, text) {
      parts[name] = text;
      if (waiting[name]) waiting[name]();
    },
    async archive(name) { return new Uint8Array(await (await packed(name, "application/x-tar")).arrayBuffer()); },
  };
})();
