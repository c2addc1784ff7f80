// Starts the program, and calls it before each picture of the screen.
"use strict";

const headlightTexts = {
  en: {
    loading: "Loading …", starting: "Starting …",
    noWebGL: "Headlight draws with WebGL 2, which this browser does not have or has switched off.",
    noWebAssembly: "Headlight needs WebAssembly with SIMD and exceptions: a browser of 2023 or later has them.",
    noServer: "A page that was opened as a file may not fetch its program. Use a server: app/serve.sh, or python3 serve.py beside this file.",
    noOrigin: "This frame keeps the page from fetching its program: its sandbox needs allow-same-origin, or the server the header Access-Control-Allow-Origin: *.",
    unreachable: "the server does not answer. Reload the page once the network is back.",
    failed: "Headlight could not be loaded:",
    lost: "The browser has taken the graphics away. As soon as they are back, Headlight goes on; what trains does so meanwhile.",
    save: "Save the training", reload: "Reload the page",
  },
  pt: {
    loading: "Carregando …", starting: "Iniciando …",
    noWebGL: "O Headlight desenha com WebGL 2, que este navegador não tem ou está desativado.",
    noWebAssembly: "O Headlight precisa de WebAssembly com SIMD e exceções: use um navegador de 2023 ou mais recente.",
    noServer: "Uma página aberta como arquivo não consegue buscar seu programa. Use um servidor: app/serve.sh, ou python3 serve.py ao lado deste arquivo.",
    noOrigin: "Este iframe impede a página de buscar seu programa: o sandbox dele precisa de allow-same-origin, ou o servidor, do cabeçalho Access-Control-Allow-Origin: *.",
    unreachable: "o servidor não responde. Recarregue a página quando a rede voltar.",
    failed: "Não foi possível carregar o Headlight:",
    lost: "O navegador retirou os gráficos. Assim que voltarem, o Headlight continua; enquanto isso, o treino segue.",
    save: "Salvar o treino", reload: "Recarregar a página",
  },
};

(function () {
  const language = (navigator.language || "en").toLowerCase().startsWith("pt") ? "pt" : "en";
  const texts = headlightTexts[language];
  const settingsPlace = "/home/web_user/.config/headlight/settings.json", settingsName = "headlight.settings";
  const element = (id) => document.getElementById(id);
  const say = (text) => { element("says").textContent = text; };

  function cover(text, shows = {}) {
    element("loading").style.display = "";
    element("progress").hidden = true;
    element("save").hidden = !shows.save;
    element("reload").hidden = !shows.reload;
    say(text);
  }
  function uncover() { element("loading").style.display = "none"; }

  function refuse(text) {
    cover(text);
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
    const response = await fetch(name).catch(() => { throw new Error(name + ": " + texts.unreachable); });
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

  // A module with an exception caught and a vector of the same byte sixteen times.
  const smallest = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, // "\0asm", version 1
    1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, //                         a function that returns a vector
    10, 12, 1, 10, 0, 6, 64, 25, 11, 65, 0, 253, 15, 11]); //      try, catch_all, end; i32.const 0, i8x16.splat

  function lacks() {
    if (location.protocol === "file:") return texts.noServer;
    if (!element("canvas").getContext || !window.WebGL2RenderingContext) return texts.noWebGL;
    if (!document.createElement("canvas").getContext("webgl2")) return texts.noWebGL;
    if (!window.WebAssembly || !WebAssembly.compileStreaming || !window.DecompressionStream
        || !WebAssembly.validate(smallest))
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

  let fitted = window.devicePixelRatio || 1; // for so many pixels a dot
  function size() {
    const dots = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(window.innerWidth * dots));
    const height = Math.max(1, Math.round(window.innerHeight * dots));
    // Rooms want so many units; on a smaller screen everything is drawn smaller.
    const fits = Math.min(1, window.innerWidth / 642, window.innerHeight / 446);
    return { width, height, dots, scale: dots * fits };
  }

  function fit() {
    const now = size();
    fitted = now.dots;
    window.headlight.module._headlight_resize(now.width, now.height, now.scale);
  }

  // --- frames ------------------------------------------------------------------------------------------------

  const pictures = []; // when the last of them were begun, in milliseconds: for measurements
  let sinceLook = 0, sinceSettings = 0;

  function tick(time) {
    requestAnimationFrame(tick);
    if ((window.devicePixelRatio || 1) !== fitted) fit(); // another screen, of which no event tells
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
    document.title = module.ccall("headlight_title", "string", [], []) + " – Headlight";
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
  function writeSettings(module) {
    module.FS.mkdirTree(settingsPlace.slice(0, settingsPlace.lastIndexOf("/")));
    module.FS.writeFile(settingsPlace, settings);
  }

  function keepSettings(module) {
    try {
      // The same place is that of other tabs: what changed here goes into what they wrote.
      const there = localStorage.getItem(settingsName) || "";
      if (there !== settings) {
        settings = there;
        writeSettings(module);
      }
      module._headlight_keep_settings();
      const text = module.FS.readFile(settingsPlace, { encoding: "utf8" });
      if (text !== settings) localStorage.setItem(settingsName, settings = text);
    } catch (none) { /* a browser that keeps nothing, or nothing to keep yet */ }
  }

  // --- more models -------------------------------------------------------------------------------------------

  const fetchLater = async (module) => {
    const response = await fetchPacked("later.tar.gz", "application/x-tar");
    headlightFiles.unpack(module.FS, new Uint8Array(await response.arrayBuffer()), "/");
    return true;
  };

  // At the latest when the network is back.
  const pause = (seconds) => new Promise((done) => {
    window.addEventListener("online", done, { once: true });
    if (seconds) setTimeout(done, 1000 * seconds);
  });

  async function fetchLaterAtLast(module) {
    for (const seconds of [5, 20, 80, 320, 0]) {
      if (await fetchLater(module).catch(() => false)) return;
      if (seconds === 5) module.ccall("headlight_tell", null, ["string"], ["page.later_failed"]);
      await pause(seconds);
    }
    return fetchLaterAtLast(module);
  }

  // --- graphics ----------------------------------------------------------------------------------------------

  function watchGraphics(module) {
    window.addEventListener("resize", fit);
    element("canvas").addEventListener("webglcontextlost", (event) => {
      event.preventDefault(); // they are wanted back
      module._headlight_lose_graphics();
      cover(texts.lost, { save: module._headlight_has_unsaved(), reload: true });
    });
    element("canvas").addEventListener("webglcontextrestored", () => {
      const fault = module.ccall("headlight_restore_graphics", "string", [], []);
      if (fault) refuse(fault);
      else uncover();
    });
    element("save").addEventListener("click", () => {
      const fault = window.headlight.do("train save-all /files");
      if (fault) say(fault);
      headlightFiles.look(module);
    });
    element("reload").addEventListener("click", () => location.reload());
  }

  // --- start -------------------------------------------------------------------------------------------------

  window.headlight = { pictures, module: null, failed: "" };

  function fail(fault) {
    if (fault instanceof WebAssembly.CompileError) refuse(texts.noWebAssembly);
    else if (window.origin === "null") refuse(texts.noOrigin);
    else refuse(texts.failed + " " + (fault.message || fault));
  }

  async function start() {
    document.documentElement.lang = language;
    say(texts.loading);
    element("save").textContent = texts.save;
    element("reload").textContent = texts.reload;
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
          .catch(fail);
        return {};
      },
    });
    headlightFiles.unpack(module.FS, new Uint8Array(await assets), "/");
    say(texts.starting);
    try {
      settings = localStorage.getItem(settingsName) || "";
      if (settings) writeSettings(module);
    } catch (none) { settings = ""; }
    const { text: link = "", trouble } = await headlightLink.read(location.hash);
    // More models come once the first picture stands, unless it is to show one of them.
    const isWhole = /\b(gloss|next-word|reverse|race)\b/.test(link + settings) && await fetchLater(module);
    const first = size();
    const fault = module.ccall("headlight_start", "string", ["string", "string", "number", "number", "number", "number"],
      [language, link, most, first.width, first.height, first.scale]);
    if (fault) return refuse(fault);
    window.headlight.module = module;
    window.headlight.threads = most;
    window.headlight.do = (line) => module.ccall("headlight_do", "string", ["string"], [line]);
    if (trouble) module.ccall("headlight_report", null, ["string"], [trouble]);
    watchGraphics(module);
    headlightInput.begin(module, element("canvas"), element("typing"));
    headlightFiles.begin(module, element("canvas"));
    headlightLink.begin(module);
    document.addEventListener("visibilitychange", () => { keepSettings(module); workUnseen(); });
    window.addEventListener("pagehide", () => keepSettings(module));
    window.addEventListener("beforeunload", (event) => {
      if (!module._headlight_has_unsaved()) return;
      event.preventDefault();
      event.returnValue = true; // for browsers before 2024
    });
    step(0);
    uncover();
    window.headlight.firstPicture = performance.now();
    requestAnimationFrame(tick);
    if (!isWhole) await fetchLaterAtLast(module);
    module._headlight_look_for_models();
    window.headlight.isWhole = true;
  }

  start().catch(fail);
})();
