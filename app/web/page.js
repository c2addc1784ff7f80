// Starts the program, and calls it before each picture of the screen.
"use strict";

const headlightTexts = {
  en: {
    loading: "Loading …", starting: "Starting …",
    noWebGL: "Headlight draws with WebGL 2, which this browser does not have or has switched off.",
    noWebAssembly: "Headlight needs WebAssembly with SIMD and exceptions: a browser of 2023 or later has them.",
    failed: "Headlight could not be loaded:",
    lost: "The browser has taken the graphics away. Reload the page to go on.",
  },
  pt: {
    loading: "A carregar …", starting: "A iniciar …",
    noWebGL: "O Headlight desenha com WebGL 2, que este navegador não tem ou tem desligado.",
    noWebAssembly: "O Headlight precisa de WebAssembly com SIMD e exceções: os navegadores desde 2023 têm-no.",
    failed: "Não foi possível carregar o Headlight:",
    lost: "O navegador retirou os gráficos. Recarregue a página para continuar.",
  },
};

(function () {
  const language = (navigator.language || "en").toLowerCase().startsWith("pt") ? "pt" : "en";
  const texts = headlightTexts[language];
  const settingsPlace = "/home/web_user/.config/headlight/settings.json", settingsName = "headlight.settings";
  const element = (id) => document.getElementById(id);
  const say = (text) => { element("says").textContent = text; };

  function refuse(text) {
    element("loading").hidden = false;
    element("loading").style.display = "";
    element("progress").hidden = true;
    say(text);
    window.headlight.failed = text;
  }

  // --- what is fetched ---------------------------------------------------------------------------------------

  const came = {}, expected = {};
  function showProgress() {
    const sum = (numbers) => Object.values(numbers).reduce((a, b) => a + b, 0);
    if (sum(expected) > 0) element("progress").value = Math.min(1, sum(came) / sum(expected));
  }

  // Unpacked here, unless the server has said that it is packed and the browser has done so.
  async function fetchPacked(name, type) {
    const response = await fetch(name);
    if (!response.ok) throw new Error(name + ": " + response.status);
    expected[name] = Number(response.headers.get("Content-Length")) || 0;
    came[name] = 0;
    const parts = [];
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      came[name] += value.length;
      showProgress();
    }
    const bytes = new Blob(parts);
    const head = new Uint8Array(await bytes.slice(0, 2).arrayBuffer());
    const isPacked = head[0] === 0x1f && head[1] === 0x8b;
    const stream = isPacked ? bytes.stream().pipeThrough(new DecompressionStream("gzip")) : bytes.stream();
    return new Response(stream, { headers: { "Content-Type": type } });
  }

  function lacks() {
    if (!element("canvas").getContext || !window.WebGL2RenderingContext) return texts.noWebGL;
    if (!document.createElement("canvas").getContext("webgl2")) return texts.noWebGL;
    if (!window.WebAssembly || !WebAssembly.compileStreaming || !window.DecompressionStream || !WebAssembly.Tag)
      return texts.noWebAssembly;
    return "";
  }

  // Where the server lets the page share memory with its workers (app/web/serve.py), what trains does so beside the
  // pictures of the screen: a worker for what trains, some for its helpers, some for other work.
  function threads() {
    if (!window.crossOriginIsolated) return 0;
    try {
      new WebAssembly.Memory({ initial: 1024, maximum: 32768, shared: true });
    } catch (none) { return 0; } // small devices
    return Math.min(navigator.hardwareConcurrency || 1, 8) + 3;
  }

  function load(script) {
    return new Promise((done, failed) => {
      const tag = document.createElement("script");
      tag.src = script;
      tag.onload = done;
      tag.onerror = () => failed(new Error(script));
      document.head.append(tag);
    });
  }

  // --- the size of the canvas --------------------------------------------------------------------------------

  function size() {
    const dots = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(window.innerWidth * dots));
    const height = Math.max(1, Math.round(window.innerHeight * dots));
    // Rooms want so many units; on a smaller screen everything is drawn smaller.
    const fits = Math.min(1, window.innerWidth / 642, window.innerHeight / 446);
    return { width, height, dots, scale: dots * fits };
  }

  // --- frames ------------------------------------------------------------------------------------------------

  const pictures = []; // when the last of them were begun, in milliseconds: for measurements
  let sinceLook = 0, sinceSettings = 0;

  function tick(time) {
    requestAnimationFrame(tick);
    pictures.push(time);
    if (pictures.length > 600) pictures.shift();
    // Of the 33 that a picture has at 30 a second: the browser wants its own. Where it is slow itself, and takes
    // longer than that, as much.
    const ofBrowser = pictures.length > 1 ? time - pictures[pictures.length - 2] - took : 0;
    step(Math.min(60, Math.max(24, ofBrowser)));
  }

  let took = 0; // by the last step, in milliseconds
  function step(milliseconds) {
    const module = window.headlight.module;
    const begun = performance.now();
    try {
      if (module._headlight_frame(milliseconds / 1000)) headlightInput.follow();
    } catch (fault) {
      refuse(texts.failed + " " + fault);
      throw fault;
    }
    took = performance.now() - begun;
    if (begun - sinceLook > 300) {
      sinceLook = begun;
      headlightFiles.look(module);
      headlightLink.look(module);
      mirror(module);
    }
    if (begun - sinceSettings > 2000) {
      sinceSettings = begun;
      keepSettings(module);
    }
  }

  // Nobody sees the page: what trains goes on, as far as the browser lets it.
  function workUnseen() {
    if (!document.hidden) return;
    step(150);
    setTimeout(workUnseen, 200);
  }

  // The words of what is held: read aloud, and shown where Tab leads to them.
  let mirrored = "";
  function mirror(module) {
    const text = module.ccall("headlight_held", "string", [], []);
    if (text === mirrored) return;
    mirrored = text;
    element("held").replaceChildren(...text.split("\n").map((line) => {
      const paragraph = document.createElement("p");
      paragraph.textContent = line;
      return paragraph;
    }));
    document.documentElement.lang = module.ccall("headlight_language", "string", [], []);
  }

  let settings = "";
  function keepSettings(module) {
    try {
      module._headlight_keep_settings();
      const text = module.FS.readFile(settingsPlace, { encoding: "utf8" });
      if (text !== settings) localStorage.setItem(settingsName, settings = text);
    } catch (none) { /* a browser that keeps nothing, or nothing to keep yet */ }
  }

  // --- start -------------------------------------------------------------------------------------------------

  window.headlight = { pictures, module: null, failed: "" };

  async function start() {
    document.documentElement.lang = language;
    say(texts.loading);
    const lacking = lacks();
    if (lacking) return refuse(lacking);
    const most = threads(), name = most ? "headlight-threads" : "headlight";
    const assets = fetchPacked("assets.tar.gz", "application/x-tar").then((response) => response.arrayBuffer());
    const program = fetchPacked(name + ".wasm.gz", "application/wasm").then(WebAssembly.compileStreaming);
    await load(name + ".js");
    const module = await createHeadlight({
      noInitialRun: true,
      threads: most,
      headlight: headlightFiles,
      instantiateWasm(imports, done) {
        program.then((compiled) => WebAssembly.instantiate(compiled, imports).then((made) => done(made, compiled)))
          .catch((fault) => refuse(texts.failed + " " + fault));
        return {};
      },
    });
    headlightFiles.unpack(module.FS, new Uint8Array(await assets), "/");
    say(texts.starting);
    try {
      settings = localStorage.getItem(settingsName) || "";
      if (settings) {
        module.FS.mkdirTree("/home/web_user/.config/headlight");
        module.FS.writeFile(settingsPlace, settings);
      }
    } catch (none) { settings = ""; }
    const link = await headlightLink.read();
    // More models come once the first picture stands, unless it is to show one of them.
    let coming = null;
    const later = () => coming = coming || fetchPacked("later.tar.gz", "application/x-tar")
      .then((response) => response.arrayBuffer())
      .then((bytes) => headlightFiles.unpack(module.FS, new Uint8Array(bytes), "/"));
    if (/\b(gloss|next-word|reverse|race)\b/.test(link + settings)) await later();
    const first = size();
    const fault = module.ccall("headlight_start", "string", ["string", "string", "number", "number", "number", "number"],
      [language, link, most, first.width, first.height, first.scale]);
    if (fault) return refuse(fault);
    window.headlight.module = module;
    window.headlight.threads = most;
    window.headlight.do = (line) => module.ccall("headlight_do", "string", ["string"], [line]);
    element("canvas").addEventListener("webglcontextlost", () => refuse(texts.lost));
    const resized = () => { const now = size(); module._headlight_resize(now.width, now.height, now.scale); };
    window.addEventListener("resize", resized);
    headlightInput.begin(module, element("canvas"), element("typing"));
    headlightFiles.begin(module, element("canvas"));
    headlightLink.begin(module);
    document.addEventListener("visibilitychange", () => { keepSettings(module); workUnseen(); });
    window.addEventListener("pagehide", () => keepSettings(module));
    step(0);
    element("loading").style.display = "none";
    window.headlight.firstPicture = performance.now();
    requestAnimationFrame(tick);
    await later();
    module._headlight_look_for_models();
    window.headlight.isWhole = true;
  }

  start().catch((fault) => refuse(texts.failed + " " + fault));
})();
