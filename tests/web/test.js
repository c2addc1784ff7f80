// node test.js SITE HEADLIGHT: the walk on a large window, on a phone by touch, and a look in Firefox; what goes wrong
// on the way to a page, and beside it.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const http = require("http");
const os = require("os");
const path = require("path");
const { Page, sleep } = require("./browser");
const careful = require("./careful");
const { Reader, walksWithTab } = require("./reader");
const readValues = require("./safetensors");
const walk = require("./walk");

const [site, headlight] = process.argv.slice(2).map((one) => path.resolve(one));
const only = process.env.ONLY || "";
const work = fs.mkdtempSync(path.join(os.tmpdir(), "headlight-web-"));
let failures = 0;

// As plain as a file server can be: no compression, no types. Or one that lets the page have threads; or one that
// anybody may read, and that has a page of its own around the page (`framed`), where `sandbox` is the frame's.
function serve({ isolates = false, frames = false, fails = {} } = {}) {
  const server = http.createServer((request, response) => {
    const [place, query = ""] = request.url.split("?");
    if (frames && place === "/framed") {
      response.writeHead(200, { "Content-Type": "text/html" });
      return response.end(careful.framing(query));
    }
    if (fails[place]) return request.socket.destroy();
    const name = path.join(site, path.normalize(decodeURIComponent(place)));
    const file = name.endsWith(path.sep) ? name + "index.html" : name;
    if (!file.startsWith(site) || !fs.existsSync(file)) return response.writeHead(404).end();
    const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
    const open = { "Access-Control-Allow-Origin": "*" };
    response.writeHead(200, { ...(isolates ? isolation : {}), ...(frames ? open : {}), "Content-Length": fs.statSync(file).size,
      "Content-Type": { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" }[path.extname(file)]
        || "application/octet-stream" });
    fs.createReadStream(file).pipe(response);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

async function check(what, does) {
  const begun = Date.now();
  try {
    const said = await does();
    const told = said === undefined ? "" : "  " + JSON.stringify(said);
    console.log(`ok    ${what}  (${((Date.now() - begun) / 1000).toFixed(1)} s)${told}`);
    return said;
  } catch (fault) {
    ++failures;
    console.log(`FAILED ${what}: ${fault.stack}`);
    return null;
  }
}

function complain(page) {
  if (page.complaints.length) throw new Error(page.complaints.join("\n"));
}

// What the desktop's program computes and draws of the same.
function desktopValues() {
  const file = path.join(work, "values.safetensors");
  execFileSync(headlight, ["trace", "--model", "translate-pt-en", "--text", walk.sentence, "--out", file]);
  return readValues(file);
}
function desktopPicture() {
  const script = path.join(work, "picture.txt"), picture = path.join(work, "picture.png");
  fs.writeFileSync(script, pictureCommands.concat(["screenshot " + picture]).join("\n") + "\n");
  execFileSync(headlight, ["render", "--script", script]);
  return picture;
}
const pictureCommands = ["language en", "theme dark", "resize 1280 800", "model translate-pt-en",
  "source " + walk.sentence, "room heads"];

async function onAWindow(address, options) {
  const page = await Page.open({ address, ...options });
  try {
    const name = options.touch ? "by touch" : "by mouse and keyboard";
    await check(name + ": first picture within 2 s", async () => {
      const seconds = await page.page.evaluate(() => headlight.firstPicture / 1000);
      if (!process.env.SLOW && seconds > 2) throw new Error(seconds + " s");
      return { seconds: +seconds.toFixed(2) };
    });
    await check(name + ": types with accents and steps", () => walk.typesAndSteps(page));
    if (!options.touch) await check(name + ": leaves the browser its keys", () => walk.leavesKeys(page));
    const cell = await check(name + ": asks a cell", () => walk.asksACell(page));
    await check(name + ": values equal the desktop's", async () => ({
      largest: await walk.equalsDesktop(page, desktopValues()) }));
    await check(name + ": silences a head", () => walk.silencesAHead(page));
    await check(name + ": takes lesson 3", () => walk.takesLesson3(page));
    if (options.touch) {
      await check(name + ": zooms, moves and scrolls", () => walk.gestures(page));
      await check(name + ": a long press explains", () => walk.longPress(page));
    }
    if (!options.touch)
      await check(name + ": looks as on the desktop", async () => {
        for (const line of pictureCommands.slice(3)) await page.run(line);
        await page.page.mouse.move(1, 1);
        await sleep(2500);
        const differs = await walk.comparesPicture(page, desktopPicture());
        if (differs.mean > 3 || differs.visible > 0.03) throw new Error(JSON.stringify(differs));
        return differs;
      });
    await check(name + ": trains copy to 99 % within 120 s", () => walk.trainsCopy(page));
    if (cell) await check(name + ": a link leads to the same cell", async () => {
      await walk.followsALink(page, cell);
    });
    await check(name + ": saves and opens a session", () => walk.savesAndOpens(page));
    await check(name + ": no complaint in the console", async () => complain(page));
  } finally {
    await page.close();
  }
}

// Where the page may have threads: it trains beside its pictures, and its numbers are the same.
async function withThreads(address, options) {
  const name = options.firefox ? "Firefox, with threads" : "with threads";
  const page = await Page.open({ address, ...options });
  try {
    await check(name + ": has threads", async () => {
      const threads = await page.page.evaluate(() => headlight.threads);
      if (!(threads > 0)) throw new Error("none");
      return { threads, seconds: +(await page.page.evaluate(() => headlight.firstPicture / 1000)).toFixed(2) };
    });
    await check(name + ": types with accents and steps", () => walk.typesAndSteps(page));
    const cell = await check(name + ": asks a cell", () => walk.asksACell(page));
    await check(name + ": values equal the desktop's", async () => ({
      largest: await walk.equalsDesktop(page, desktopValues()) }));
    await check(name + ": trains copy to 99 % within 120 s", () => walk.trainsCopy(page));
    await check(name + ": every room opens while it trains", () => walk.visitsRooms(page));
    if (cell) await check(name + ": a link leads to the same cell", () => walk.followsALink(page, cell));
    await check(name + ": saves and opens a session", () => walk.savesAndOpens(page));
    await check(name + ": no complaint in the console", async () => complain(page));
  } finally {
    await page.close();
  }
}

// As slow as a telephone's network is often: words at once, then a picture.
async function onASlowLine(address) {
  const page = await Page.open({ waits: false, address });
  try {
    await check("fast 3G: words after 2 s, a live picture after 15", async () => {
      const line = await page.page.createCDPSession();
      await line.send("Network.enable");
      await line.send("Network.emulateNetworkConditions",
        { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 });
      await page.page.goto(address + "#lesson=03&card=2&lang=en", { waitUntil: "domcontentloaded" });
      await page.until("the lesson's words", () => page.page.evaluate(() => /dot product/.test(document.getElementById("first").textContent)), 5);
      await page.begins();
      const told = await page.page.evaluate(() => ({ words: Math.round(performance.getEntriesByType("paint")[0].startTime) / 1000,
        picture: Math.round(headlight.firstPicture) / 1000,
        megabytes: (headlightSizes["headlight.wasm"][0] + headlightSizes["headlight.js"][0] + headlightSizes["assets.tar"][0]) / 1e6 }));
      if (told.megabytes > 2.6) throw new Error("more than such a line brings in 13 s: " + told.megabytes);
      if (!process.env.SLOW && (told.words > 2 || told.picture > 15)) throw new Error(JSON.stringify(told));
      return told;
    });
  } finally {
    await page.close();
  }
}

async function byTheTree(address) {
  const page = await Page.open({ address: address + "#lang=en" });
  try {
    await page.run("lesson door off");
    await check("by the accessibility tree: a sentence, a matrix, a number", async () => (await Reader.begin(page)).asks());
    for (const lesson of [3, 9])
      await check(`by the accessibility tree: lesson ${lesson} to its end`, async () => (await Reader.begin(page)).takesLesson(lesson));
    await check("Tab: what has the keyboard is seen", () => walksWithTab(page));
    await check("no complaint in the console", async () => complain(page));
  } finally {
    await page.close();
  }
}

// Whether what was compiled is a page at all: quick, for every change. With a lesson by the tree, from a disk, in a
// frame that may nothing but run scripts, and from the browser's own store with the server gone.
async function opens(serveAgain) {
  const server = await serveAgain(), address = `http://127.0.0.1:${server.address().port}/`;
  const page = await Page.open({ address });
  try {
    await check("opens, and takes a sentence", async () => {
      await walk.typesAndSteps(page);
      return { seconds: +(await page.page.evaluate(() => headlight.firstPicture / 1000)).toFixed(2) };
    });
    await check("values equal the desktop's", async () => ({
      largest: await walk.equalsDesktop(page, desktopValues()) }));
    await check("by the accessibility tree: lesson 3 to its end", async () => (await Reader.begin(page)).takesLesson(3));
    await check("a link leads to a model that is fetched then, and back to where one was", () => careful.goesThereAndBack(page));
    await check("runs, answers and place outlive the page", () => careful.outlivesItself(page));
    await check("no complaint in the console", async () => complain(page));
    await check("goes on from the browser's store, with the server gone", () => careful.opensWithoutAServer(page, server));
  } finally {
    await page.close();
  }
}

async function inFirefox(address) {
  const page = await Page.open({ address, firefox: true });
  try {
    await check("Firefox: opens, and has the same numbers", async () => {
      await page.run("lesson door off");
      await page.run("model translate-pt-en");
      await page.run("source " + walk.sentence);
      const largest = await walk.equalsDesktop(page, desktopValues());
      complain(page);
      return { largest };
    });
  } finally {
    await page.close();
  }
}

(async () => {
  const server = await serve();
  const address = `http://127.0.0.1:${server.address().port}/`;
  if (only === "open") {
    await opens(serve);
    await careful.inBareFrames(check, serve);
  }
  if (!only || only === "line") await onASlowLine(address);
  if (!only || only === "reader") await byTheTree(address);
  if (!only || only === "window") await onAWindow(address, {});
  if (!only || only === "touch") await onAWindow(address, { width: 390, height: 844, touch: true, dots: 2 });
  const isolating = await serve({ isolates: true });
  const isolated = `http://127.0.0.1:${isolating.address().port}/`;
  if (!only || only === "threads") await withThreads(isolated, {});
  if (!only || only === "careful") await careful.all(check, serve, address);
  if (!only || only === "firefox") await check("Firefox", () => inFirefox(address));
  server.close();
  isolating.close();
  fs.rmSync(work, { recursive: true });
  console.log(failures ? `${failures} failed` : "all is well");
  process.exit(failures ? 1 : 0);
})();
