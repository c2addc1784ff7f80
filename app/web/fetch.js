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

  const load = (script) => loadFrom(versioned(script));
  function loadFrom(address) {
    return new Promise((done, failed) => {
      const tag = document.createElement("script");
      tag.src = address;
      tag.onload = done;
      tag.onerror = () => failed(new Error(address));
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

  async function bytesOf(name) {
    came[name] = 0;
    const blob = isBare ? await asScript(name) : await asFile(name).catch((fault) => {
      throw fault instanceof TypeError ? new Error(name) : fault; // no answer
    });
    delete came[name], delete expected[name];
    return new Uint8Array(await blob.arrayBuffer());
  }

  let decoder = null; // a small program of its own (app/web/unpack.c)
  async function unpack(bytes, whole) {
    const { exports } = await (decoder = decoder || bytesOf("unpack.wasm").then((code) => WebAssembly.instantiate(code, {
      env: { emscripten_notify_memory_growth() {} }, wasi_snapshot_preview1: { proc_exit() {} },
    })).then(({ instance }) => (instance.exports._initialize && instance.exports._initialize(), instance)));
    const from = exports.malloc(bytes.length), to = exports.malloc(whole);
    new Uint8Array(exports.memory.buffer).set(bytes, from);
    const isWhole = exports.headlight_unpack(from, bytes.length, to, whole);
    const result = new Uint8Array(exports.memory.buffer).slice(to, to + whole);
    exports.free(from), exports.free(to);
    if (!isWhole) throw new Error("damaged");
    return result;
  }

  async function packed(name) {
    const [size, whole] = headlightSizes[name];
    expected[name + ".xz"] = size;
    return unpack(await bytesOf(name + ".xz"), whole);
  }

  return {
    isBare, packed,
    async script(name) {
      if (!headlightSizes[name]) return load(name);
      const address = URL.createObjectURL(new Blob([await packed(name)], { type: "text/javascript" }));
      await loadFrom(address);
      URL.revokeObjectURL(address);
    },
    // `listener` is told a name, bytes that came and bytes that are expected, of all that is on its way.
    onProgress(listener) { tell = listener; },
    part(name, text) {
      parts[name] = text;
      if (waiting[name]) waiting[name]();
    },
  };
})();
