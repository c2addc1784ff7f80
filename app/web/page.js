// Starts the program, and calls it before each picture of the screen.
"use strict";

const headlightTexts = {
  en: {
    loading: "Fetching the program: {0} of {1} MB", starting: "Starting …",
    noWebGL: "Headlight draws with WebGL 2, which this browser does not have or has switched off.",
    noWebAssembly: "Headlight needs WebAssembly with SIMD and exceptions: a browser of 2023 or later has them.",
    unreachable: "The server does not answer. It is tried again as soon as the network is back; or reload the page.",
    failed: "Headlight could not be loaded:",
    lost: "The browser has taken the graphics away. As soon as they are back, Headlight goes on; what trains does so meanwhile.",
    save: "Save the training", reload: "Reload the page", lesson: "Lesson", large: "Open large",
  },
  pt: {
    loading: "Baixando o programa: {0} de {1} MB", starting: "Iniciando …",
    noWebGL: "O Headlight desenha com WebGL 2, que este navegador não tem ou está desativado.",
    noWebAssembly: "O Headlight precisa de WebAssembly com SIMD e exceções: use um navegador de 2023 ou mais recente.",
    unreachable: "O servidor não responde. Tenta-se de novo assim que a rede voltar; ou recarregue a página.",
    failed: "Não foi possível carregar o Headlight:",
    lost: "O navegador retirou os gráficos. Assim que voltarem, o Headlight continua; enquanto isso, o treino segue.",
    save: "Salvar o treino", reload: "Recarregar a página", lesson: "Lição", large: "Abrir em tamanho grande",
  },
};

(function () {
  const asked = new URLSearchParams(location.hash.slice(1));
  const language = (asked.get("lang") || navigator.language || "en").toLowerCase().startsWith("pt") ? "pt" : "en";
  const texts = headlightTexts[language];
  const isEmbedded = new URLSearchParams(location.search).has("embed");
  const element = (id) => document.getElementById(id);
  const say = (text) => { element("says").textContent = text; };

  // Over all else: before the program is there, and when it cannot draw.
  function cover(text, shows = {}) {
    element("front").hidden = false;
    element("progress").hidden = true;
    element("save").hidden = !shows.save;
    element("reload").hidden = !shows.reload;
    say(text);
  }
  function uncover() { element("front").hidden = true; }

  function refuse(text) {
    cover(text, { reload: true });
    window.headlight.failed = text;
  }

  // --- before the program is there ---------------------------------------------------------------------------

  // The first card of the lesson that is linked: what can be read can be read at once.
  async function showLesson() {
    const number = Number(asked.get("lesson")), name = headlightLessons.find((one) => parseInt(one, 10) === number);
    if (!number || !name || headlightFetch.isBare) return;
    const text = await (await fetch(`lessons/${name}.${language}.md?v=${headlightBuild}`)).text();
    const title = /^# (.*)$/m.exec(text), card = text.split(/^## /m)[Math.max(1, Number(asked.get("card")) || 1)] || "";
    const [heading, ...rest] = card.split("\n");
    const made = document.createElement("div");
    const add = (tag, content) => { const one = document.createElement(tag); one.textContent = content; made.append(one); };
    add("h2", (title ? title[1] : texts.lesson) + " · " + heading);
    const prose = rest.join("\n").replace(/^(```|:::)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*`$]/g, "");
    for (const paragraph of prose.split(/\n\s*\n/)) if (paragraph.trim() && !/^[>|\-[]/.test(paragraph.trim())) add("p", paragraph.replace(/\n/g, " "));
    element("first").replaceChildren(made);
    document.title = heading + " – Headlight";
  }

  // A module with an exception caught and a vector of the same byte sixteen times.
  const smallest = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, // "\0asm", version 1
    1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, //                         a function that returns a vector
    10, 12, 1, 10, 0, 6, 64, 25, 11, 65, 0, 253, 15, 11]); //      try, catch_all, end; i32.const 0, i8x16.splat

  function lacks() {
    if (!element("canvas").getContext || !window.WebGL2RenderingContext) return texts.noWebGL;
    if (!document.createElement("canvas").getContext("webgl2")) return texts.noWebGL;
    if (!window.WebAssembly || !WebAssembly.validate(smallest)) return texts.noWebAssembly;
    return "";
  }

  // Where the server lets the page share memory with its workers (app/web/serve.py, or sw.js in its place), what trains
  // does so beside the pictures of the screen: a worker for what trains, some for its helpers, some for other work.
  function threads() {
    if (!window.crossOriginIsolated || !headlightSizes["headlight-threads.wasm"]) return 0;
    try {
      new WebAssembly.Memory({ initial: 1024, maximum: 32768, shared: true });
    } catch (none) { return 0; } // small devices
    return Math.min(navigator.hardwareConcurrency || 1, 8) + 3;
  }

  // --- the size of the canvas --------------------------------------------------------------------------------

  let fitted = ""; // for that size, and so many pixels a dot
  function size() {
    const dots = window.devicePixelRatio || 1, { clientWidth, clientHeight } = element("picture");
    const width = Math.max(1, Math.round(clientWidth * dots)), height = Math.max(1, Math.round(clientHeight * dots));
    // Rooms want so many units; on a smaller screen everything is drawn smaller. A phone shows the picture alone.
    const fits = headlightText.isPhone ? 0.8 : Math.min(1, clientWidth / 642, clientHeight / 446);
    return { width, height, scale: dots * fits };
  }

  function fit() {
    const now = size(), key = now.width + " " + now.height + " " + now.scale;
    if (key === fitted) return;
    fitted = key;
    window.headlight.module._headlight_resize(now.width, now.height, now.scale);
  }

  // --- frames ------------------------------------------------------------------------------------------------

  const pictures = []; // when the last of them were begun, in milliseconds: for measurements
  let sinceLook = 0, sinceKept = 0, sinceText = 0;

  // Where nothing has been drawn for a while the page rests, and looks now and then; whatever somebody does wakes it.
  let resting = 0, lastDrawn = 0;
  function wake() {
    lastDrawn = performance.now();
    if (!resting) return;
    clearTimeout(resting);
    resting = 0;
    requestAnimationFrame(tick);
  }

  function tick(time) {
    resting = 0;
    if (performance.now() - lastDrawn < 1500) requestAnimationFrame(tick);
    else resting = setTimeout(() => requestAnimationFrame(tick), 150);
    fit(); // another screen, of which no event tells; a sheet that is drawn
    pictures.push(time);
    if (pictures.length > 600) pictures.shift();
    // Of the 33 that a picture has at 30 a second: the browser wants its own. Where it is slow itself, and takes
    // longer than that, as much.
    const ofBrowser = pictures.length > 1 ? time - pictures[pictures.length - 2] - took : 0;
    step(Math.min(60, Math.max(24, ofBrowser)));
  }

  let took = 0; // by the last step, in milliseconds
  let looks = 0; // so many more, after what was drawn last: where nothing happens nobody asks what there is
  function step(milliseconds) {
    const module = window.headlight.module;
    const begun = performance.now();
    let hasDrawn = false;
    try {
      hasDrawn = module._headlight_frame(milliseconds / 1000) !== 0;
      if (hasDrawn) headlightInput.follow(), looks = 10, wake();
    } catch (fault) {
      refuse(texts.failed + " " + fault);
      throw fault;
    }
    took = performance.now() - begun;
    if (hasDrawn && begun - sinceText > 120) {
      sinceText = begun;
      headlightText.look();
    }
    if (begun - sinceLook > 300 && looks > 0) {
      sinceLook = begun;
      --looks;
      if (!hasDrawn) headlightText.look();
      headlightFiles.look(module);
      headlightLink.look();
      document.title = module.ccall("headlight_title", "string", [], []) + " – Headlight";
      fetchWantedModel(module);
    }
    if (begun - sinceKept > 2000 && looks > 0) {
      sinceKept = begun;
      headlightStore.look();
    }
  }

  // Nobody sees the page: what trains goes on, as far as the browser lets it.
  function workUnseen() {
    if (!document.hidden) return;
    step(150);
    setTimeout(workUnseen, 200);
  }

  // --- what comes later --------------------------------------------------------------------------------------

  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  let isFetching = "";

  const unpack = (module, bytes) => headlightFiles.unpack(module.FS, bytes, "/");
  async function fetchModel(module, name) {
    isFetching = name;
    try {
      unpack(module, await headlightFetch.packed(`models/${name}.tar`));
      return true;
    } finally {
      isFetching = "";
      element("status").hidden = true;
    }
  }

  // A model whose weights are wanted for the first time.
  async function fetchWantedModel(module) {
    if (isFetching) return;
    const name = module.ccall("headlight_wanted_model", "string", [], []);
    if (!name) return;
    window.headlight.awaits = name;
    headlightText.look(true);
    await atLast(() => fetchModel(module, name), () => module.ccall("headlight_tell", null, ["string"], ["page.later_failed"]));
    window.headlight.awaits = "";
    module._headlight_model_came();
    headlightText.look(true);
  }

  // At the latest when the network is back.
  const pause = (seconds) => new Promise((done) => {
    window.addEventListener("online", done, { once: true });
    if (seconds) setTimeout(done, 1000 * seconds);
  });

  async function atLast(does, fails) {
    for (const seconds of [5, 20, 80, 320, 0]) {
      const come = await does().then((result) => [result], () => null);
      if (come) return come[0];
      if (seconds === 5) fails();
      await pause(seconds);
    }
    return atLast(does, () => {});
  }

  // Shown in passing, where the program has no picture of it.
  headlightFetch.onProgress((name, came, expected) => {
    if (!window.headlight.module) {
      if (expected > 0) element("progress").value = Math.min(1, came / expected);
      say(texts.loading.replace("{0}", megabytes(came)).replace("{1}", megabytes(Math.max(came, expected))));
    } else if (isFetching) {
      element("status").hidden = false;
      const sentence = window.headlight.module.ccall("headlight_string", "string", ["string"], ["page.fetching"]);
      element("status").textContent = sentence.replace("{0}", isFetching).replace("{1}", megabytes(came))
        .replace("{2}", megabytes(Math.max(came, expected)));
    }
  });

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
  }

  // --- without a network -------------------------------------------------------------------------------------

  // All that was fetched stays for the next time, also where nothing answers then.
  async function keepForNextTime() {
    if (headlightFetch.isBare) return;
    document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: "manifest.webmanifest" }));
    try {
      await navigator.serviceWorker.register("sw.js");
      const { active } = await navigator.serviceWorker.ready;
      const fetched = performance.getEntriesByType("resource").map((one) => one.name).filter((one) => one.startsWith(new URL(".", location.href).href));
      // Lessons open small models: those are worth to have at hand, unless somebody counts every byte.
      const counts = navigator.connection && navigator.connection.saveData;
      const small = Object.keys(headlightSizes).filter((name) => !counts && name.startsWith("models/") && !name.includes("everyday"))
        .map((name) => new URL(name + ".xz?v=" + headlightBuild, location.href).href);
      active.postMessage({ keep: [location.href.split(/[?#]/)[0], ...new Set([...fetched, ...small])], build: headlightBuild });
    } catch (none) { /* a frame without an origin, or a browser that has none */ }
  }

  // --- start -------------------------------------------------------------------------------------------------

  window.headlight = { pictures, module: null, failed: "", awaits: "" }; // a model that is on its way

  function fail(fault) {
    if (fault instanceof WebAssembly.CompileError) refuse(texts.noWebAssembly);
    else refuse(texts.failed + " " + (fault.message || fault));
  }

  async function start() {
    document.documentElement.lang = language;
    document.documentElement.classList.toggle("embed", isEmbedded);
    element("save").textContent = texts.save;
    element("reload").textContent = texts.reload;
    element("reload").addEventListener("click", () => location.reload());
    say(texts.loading.replace("{0}", "0").replace("{1}", megabytes(headlightSizes["headlight.wasm"][0] + headlightSizes["assets.tar"][0])));
    showLesson().catch(() => {});
    const lacking = lacks();
    if (lacking) return refuse(lacking);
    let most = threads();
    const fetched = (what) => atLast(what, () => say(texts.unreachable));
    const assets = fetched(() => headlightFetch.packed("assets.tar"));
    const programOf = (name) => Promise.all([headlightFetch.packed(name + ".wasm"), headlightFetch.script(name + ".js")]);
    // Without a network there may be the other one alone.
    const [bytes] = await (most ? programOf("headlight-threads").catch(() => (most = 0, fetched(() => programOf("headlight"))))
      : fetched(() => programOf("headlight")));
    const program = WebAssembly.compile(bytes);
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
    unpack(module, await assets);
    say(texts.starting);
    const settings = await headlightStore.begin(module);
    const link = await headlightLink.read(location.hash), lines = headlightStore.lastSession();
    // The weights that the first picture wants.
    const wanted = /^model ([\w-]+)$/m.exec(lines) || /[#&]model=([\w-]+)/.exec(link) || (!link && /"model": ?"[^"]*\/([\w-]+)"/.exec(settings));
    if (wanted && headlightSizes[`models/${wanted[1]}.tar`]) await fetchModel(module, wanted[1]).catch(() => {});
    // A page of text beside the canvas: how large that is, is known before it is drawn for the first time.
    uncover();
    headlightText.measure();
    const first = size();
    const fault = module.ccall("headlight_start", "string", ["string", "string", "string", "number", "number", "number", "number"],
      [language, link, location.origin === "null" || location.protocol === "file:" ? "" : location.href.split(/[?#]/)[0], most,
        first.width, first.height, first.scale]);
    if (fault) return refuse(fault);
    window.headlight.module = module;
    window.headlight.threads = most;
    window.headlight.fetchWanted = () => fetchWantedModel(module);
    window.headlight.do = (line) => { wake(); return module.ccall("headlight_do", "string", ["string"], [line]); };
    // Who has chosen nothing yet gets what the system is set to.
    if (!settings && matchMedia("(prefers-color-scheme: light)").matches) window.headlight.do("theme light");
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) window.headlight.do("animation off");
    if (lines) module.ccall("headlight_bring_back", null, ["string"], [lines]);
    if (isEmbedded) {
      window.headlight.do("lesson door off");
      element("large").hidden = false;
      element("large").textContent = texts.large;
      element("large").addEventListener("click", () => {
        const address = location.href.replace(/\?embed[^#]*/, ""), opened = window.open(address);
        if (opened) return void (opened.opener = null);
        element("status").hidden = false; // a sandbox may forbid it
        element("status").textContent = address;
      });
      window.addEventListener("pointerdown", () => document.documentElement.classList.add("entered"));
      window.addEventListener("blur", () => document.documentElement.classList.remove("entered"));
    }
    headlightStore.remember();
    watchGraphics(module);
    headlightInput.begin(module, element("canvas"), element("typing"));
    headlightFiles.begin(module, element("canvas"));
    headlightLink.begin(module);
    headlightText.begin(module);
    document.addEventListener("visibilitychange", () => { headlightStore.look(); workUnseen(); });
    window.addEventListener("pagehide", () => headlightStore.look());
    window.addEventListener("beforeunload", (event) => {
      headlightStore.look();
      if (!module._headlight_has_unsaved() && !headlightStore.isBehind()) return;
      event.preventDefault();
      event.returnValue = true; // for browsers before 2024
    });
    for (const event of ["pointerdown", "pointermove", "pointerup", "wheel", "keydown", "keyup", "input", "paste", "drop", "resize", "focus", "hashchange", "popstate"])
      window.addEventListener(event, wake, { capture: true, passive: true });
    fit();
    step(0);
    window.headlight.firstPicture = performance.now();
    requestAnimationFrame(tick);
    const later = await atLast(() => headlightFetch.packed("later.tar"),
      () => module.ccall("headlight_tell", null, ["string"], ["page.later_failed"]));
    unpack(module, later);
    module._headlight_look_for_models();
    window.headlight.isWhole = true;
    keepForNextTime();
  }

  start().catch(fail);
})();
