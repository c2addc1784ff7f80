// What the browser keeps from one time to the next: settings and progress beside other tabs' own, trained runs in
// IndexedDB, and what this tab shows for when it is loaded again.
"use strict";

const headlightStore = (function () {
  const home = "/home/web_user", settingsPlace = home + "/.config/headlight/settings.json", settingsName = "headlight.settings";
  const runs = home + "/runs", sessionName = "headlight.session";
  let module, settings = "", database = null;
  const known = new Map(); // of a run's folder: its key there, and what its files were like when they were kept

  const fileOf = (path) => module.FS.readFile(path, { encoding: "utf8" });
  function writeSettings() {
    module.FS.mkdirTree(settingsPlace.slice(0, settingsPlace.lastIndexOf("/")));
    module.FS.writeFile(settingsPlace, settings);
  }

  function keepSettings() {
    try {
      // The same place is that of other tabs: what changed here goes into what they wrote.
      const there = localStorage.getItem(settingsName) || "";
      if (there !== settings) {
        settings = there;
        writeSettings();
      }
      module._headlight_keep_settings();
      const text = fileOf(settingsPlace);
      if (text !== settings) localStorage.setItem(settingsName, settings = text);
    } catch (none) { /* a browser that keeps nothing, or nothing to keep yet */ }
  }

  // --- what this tab shows -----------------------------------------------------------------------------------

  function keepSession() {
    try {
      const lines = module.ccall("headlight_session", "string", [], []);
      sessionStorage.setItem(sessionName, JSON.stringify({ hash: location.hash, lines }));
    } catch (none) { /* not kept */ }
  }

  // All of it, answers too, where the tab is loaded again.
  function lastSession() {
    try {
      const { hash, lines } = JSON.parse(sessionStorage.getItem(sessionName));
      const [way] = performance.getEntriesByType("navigation");
      // A frame is loaded again by the page around it, which nobody tells.
      const isAgain = (way && way.type !== "navigate") || window.parent !== window;
      return hash === location.hash && isAgain ? lines : "";
    } catch (none) { return ""; }
  }

  // --- runs --------------------------------------------------------------------------------------------------

  const asked = (request) => new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

  async function openDatabase() {
    const request = indexedDB.open("headlight", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("runs"); // key → { path: bytes }
    database = await asked(request);
  }
  const runsThere = (mode) => database.transaction("runs", mode).objectStore("runs");

  function filesBelow(folder, below = "") {
    const found = new Map();
    for (const entry of module.FS.readdir(folder)) {
      if (entry === "." || entry === "..") continue;
      const path = folder + "/" + entry, status = module.FS.stat(path);
      if (module.FS.isDir(status.mode))
        for (const [name, stamp] of filesBelow(path, below + entry + "/")) found.set(name, stamp);
      else found.set(below + entry, status.mtime.getTime() + ":" + status.size);
    }
    return found;
  }

  async function bringRuns() {
    try {
      await openDatabase();
      const store = runsThere("readonly");
      const [keys, all] = await Promise.all([asked(store.getAllKeys()), asked(store.getAll())]);
      keys.forEach((key, i) => {
        const folder = runs + "/" + (i + 1);
        for (const [path, bytes] of Object.entries(all[i])) {
          const place = folder + "/" + path;
          module.FS.mkdirTree(place.slice(0, place.lastIndexOf("/")));
          module.FS.writeFile(place, bytes);
        }
        known.set(String(i + 1), { key, files: JSON.stringify([...filesBelow(folder)]) });
      });
    } catch (none) { database = null; }
    module.FS.mkdirTree(runs);
  }

  // A run is a folder here; there it has a key that no other tab gives.
  let isKeeping = false;
  async function keepRuns() {
    if (!database || isKeeping) return;
    isKeeping = true;
    try {
      const here = module.FS.readdir(runs).filter((name) => /^\d+$/.test(name));
      for (const name of here) {
        const files = filesBelow(runs + "/" + name), stamp = JSON.stringify([...files]);
        const before = known.get(name);
        if (files.size === 0 || (before && before.files === stamp)) continue;
        const key = before ? before.key : Date.now().toString(36) + "-" + Math.random().toString(36).slice(2, 8);
        const content = {};
        for (const path of files.keys()) content[path] = module.FS.readFile(runs + "/" + name + "/" + path);
        await asked(runsThere("readwrite").put(content, key));
        known.set(name, { key, files: stamp });
      }
      for (const [name, { key }] of known)
        if (!here.includes(name)) {
          await asked(runsThere("readwrite").delete(key));
          known.delete(name);
        }
    } catch (full) { /* no room: they are still here */ }
    isKeeping = false;
  }

  // Something was trained that is not kept yet.
  const isBehind = () => !!database && module.FS.readdir(runs).some((name) => /^\d+$/.test(name)
    && JSON.stringify([...filesBelow(runs + "/" + name)]) !== (known.get(name) || {}).files);

  return {
    isBehind,
    // Once the program is there.
    remember() { if (database) module.ccall("headlight_remember", null, ["string"], [runs]); },
    // Before the program starts. Returns what is remembered of settings.
    async begin(program) {
      module = program;
      try {
        settings = localStorage.getItem(settingsName) || "";
        if (settings) writeSettings();
      } catch (none) { settings = ""; }
      await bringRuns();
      return settings;
    },
    lastSession,
    look() { keepSettings(), keepSession(), keepRuns(); },
  };
})();
