// What goes wrong on the way to a page, and beside it: no server, no graphics, no network, strange links, other tabs,
// frames, screens; and that nothing that somebody did is lost then.
"use strict";
const assert = require("assert");
const path = require("path");
const zlib = require("zlib");
const { Page, sleep } = require("./browser");
const walk = require("./walk");

let browser; // one for all: each asks in a tab of its own

async function inATab(options, does) {
  const page = await Page.open({ ...options, browser });
  try {
    return await does(page);
  } finally {
    await page.close();
  }
}
const unopened = (does) => inATab({ waits: false }, does);

// --- what keeps a page from beginning ------------------------------------------------------------------------

function saysWhy(address, sentence, before = () => {}) {
  return unopened(async (page) => {
    await page.page.evaluateOnNewDocument(before);
    await page.page.goto(address);
    await page.until("the sentence", async () => sentence.test(await page.says()));
  });
}

function opensFromADisk() {
  return unopened(async (page) => {
    await page.visit("file://" + path.resolve(process.argv[2], "index.html") + "#model=sentiment");
    assert.match(await page.lines(), /^model sentiment$/m);
  });
}

// --- the network ---------------------------------------------------------------------------------------------

async function goesOnWithoutNetwork(serve) {
  const fails = { "/later.tar.xz": true }, server = await serve({ fails });
  await unopened(async (page) => {
    await page.page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.begins();
    await page.until("a quiet sentence", async () => /network/.test(await page.notice()));
    await walk.typesAndSteps(page);
    assert.strictEqual(await page.page.evaluate(() => headlight.failed), "");
    fails["/later.tar.xz"] = false;
    await page.page.evaluate(() => window.dispatchEvent(new Event("online")));
    await page.until("the models that come later", () => page.page.evaluate(() => headlight.isWhole));
    await page.run("model next-word");
  });
  server.close();
}

// --- links ---------------------------------------------------------------------------------------------------

const linkOf = (text) => "#s=" + zlib.deflateRawSync(Buffer.from(text)).toString("base64url");

async function measuresLinks(address) {
  const whole = linkOf("model translate-pt-en\nsource O gato não dormiu\nroom heads\n");
  const damaged = [whole.slice(0, -12), "#s=", "#s=!!", "#s=" + "A".repeat(40)];
  const tooMuch = ["model copy\nmodel sentiment\n".repeat(5000), "source " + "a ".repeat(3e7), "room heads\n".repeat(2000)]
    .map(linkOf).concat("#s=" + "A".repeat(1e5));
  await inATab({ address }, async (page) => {
    await page.run("lesson door off");
    const before = await page.link();
    const follow = async (link, sentence) => {
      await page.run("notice off");
      await page.page.evaluate((hash) => { location.hash = hash; }, link);
      await page.until(`the sentence of ${link.slice(0, 40)}`, async () => sentence.test(await page.notice()), 10);
      assert.strictEqual(await page.link(), before, "nothing is followed");
    };
    for (const link of damaged) await follow(link, /damaged/);
    for (const link of tooMuch) await follow(link, /more than a session|damaged/);
    await page.page.evaluate((hash) => { location.hash = hash; }, whole);
    await page.until("a whole link", async () => /source O gato não dormiu/.test(await page.lines()));
  });
  await inATab({ address: address + damaged[0] }, async (page) => assert.match(await page.notice(), /damaged/));
  return { told: damaged.length + tooMuch.length };
}

// What a link leads to is the same in a window that shows other things.
async function leadsToTheSame(address) {
  const link = linkOf("model translate-pt-en\nsource O gato não dormiu\nroom explore\n");
  const fresh = await inATab({ address: address + link }, (page) => page.link());
  await inATab({ address }, async (page) => {
    for (const line of ["lesson door off", "model translate-pt-en", "smoothing 0.1", "lesson vector 1 0.5 0.5", "room say"])
      await page.run(line);
    await page.page.evaluate((hash) => { location.hash = hash; }, link);
    await page.until("the link's state", async () => (await page.link()) === fresh);
  });
}

// --- what somebody did ---------------------------------------------------------------------------------------

const settingsOf = (page) => page.page.evaluate(() => JSON.parse(localStorage.getItem("headlight.settings")));

async function keepsBothTabs(address) {
  await inATab({ address }, (one) => inATab({ address }, async (other) => {
    await one.page.evaluate(() => localStorage.clear());
    const keeps = async (page, what, is) => {
      await page.page.bringToFront();
      await page.until(what, async () => is(await settingsOf(page).catch(() => ({})) || {}));
    };
    await one.page.bringToFront();
    await one.run("lesson open 3");
    await keeps(one, "one lesson", (kept) => /03-/.test(kept.lessons));
    await other.page.bringToFront();
    await other.run("theme light");
    await other.run("lesson open 4");
    await keeps(other, "the other's", (kept) => kept.theme === "light" && /04-/.test(kept.lessons));
    assert.match((await settingsOf(other)).lessons, /03-/, "the first lesson's progress stays");
    await one.page.bringToFront();
    await one.run("presenter on");
    await keeps(one, "both", (kept) => kept.presenter === true);
    const kept = await settingsOf(one);
    assert.strictEqual(kept.theme, "light");
    assert.match(kept.lessons, /03-.*04-/);
    await one.run("presenter off");
  }));
}

// In a browser that keeps nothing; where it does, nothing is gone (outlivesItself).
async function asksBeforeATrainingIsGone(address) {
  await unopened(async (page) => {
    await page.page.evaluateOnNewDocument(() => Object.defineProperty(window, "indexedDB", { value: undefined }));
    await page.visit(address);
    await page.run("lesson door off");
    const reload = async () => {
      await page.page.reload({ waitUntil: "domcontentloaded" });
      await page.begins();
    };
    const trains = async () => {
      for (const line of ["lesson door off", "room train", "train task copy", "train start 5"]) await page.run(line);
      await page.until("five steps", async () => /step=5/.test(await page.call("headlight_training", "string")), 60);
      await page.page.mouse.click(5, 300); // a person was here
    };
    await reload();
    assert.strictEqual(page.asked, 0, "nothing was trained");
    await trains();
    await reload();
    assert.strictEqual(page.asked, 1, "a training is not thrown away");
    await trains();
    await page.run("train save mine");
    await page.page.mouse.click(5, 300);
    await reload();
    assert.strictEqual(page.asked, 1, "what is saved may go");
  });
}

async function keepsWhatIsPasted(address) {
  await inATab({ address }, async (page) => {
    await page.run("lesson door off");
    await page.press("source");
    await page.chord("Control", "a");
    await page.page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "o gato\nnão\tdormiu 🎉");
      document.getElementById("typing").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    });
    await page.page.keyboard.press("Enter");
    await page.until("what was pasted", async () => /^source o gato não dormiu 🎉$/m.test(await page.lines()));
    await page.press("source");
    const seen = await page.page.evaluate(() => {
      const field = document.getElementById("typing");
      field.dispatchEvent(new CompositionEvent("compositionstart"));
      field.value = "ねこ";
      field.dispatchEvent(new InputEvent("input", { isComposing: true }));
      const style = getComputedStyle(field), box = field.getBoundingClientRect();
      const found = { opacity: style.opacity, width: box.width, left: box.left, top: box.top };
      field.value = "";
      field.dispatchEvent(new CompositionEvent("compositionend", { data: "" }));
      return { ...found, after: getComputedStyle(field).opacity };
    });
    assert.strictEqual(seen.opacity, "1", "what is composed is seen");
    assert.ok(seen.width > 30);
    const field = await page.rectOf("source");
    assert.ok(seen.left > field.left - 4 && seen.top > field.top - 8 && seen.top < field.bottom, "in its field");
    assert.strictEqual(seen.after, "0");
  });
}

// --- graphics and screens ------------------------------------------------------------------------------------

async function outlivesItsGraphics(address) {
  await inATab({ address }, async (page) => {
    const show = async () => {
      for (const line of ["room explore", "model translate-pt-en", "animation off", "goto encoder.0.self_attn.weights",
        "notice off"])
        await page.run(line);
      await page.page.mouse.move(1, 1);
      await sleep(2000);
      return page.page.screenshot({ encoding: "base64" });
    };
    await page.run("lesson door off");
    const before = await show();
    for (const line of ["room train", "train task copy", "train start 100000"]) await page.run(line);
    const step = async () => Number((/step=(\d+)/.exec(await page.call("headlight_training", "string")) || [0, 0])[1]);
    await page.until("steps", async () => await step() > 2, 60);
    await page.page.evaluate(() => {
      window.loses = document.getElementById("canvas").getContext("webgl2").getExtension("WEBGL_lose_context");
      loses.loseContext();
    });
    await page.until("the sentence", async () => /graphics/.test(await page.says()));
    const then = await step();
    await page.until("steps meanwhile", async () => await step() > then, 60);
    await page.page.evaluate(() => {
      window.downloads = [];
      const create = URL.createObjectURL;
      URL.createObjectURL = (blob) => { downloads.push(blob.size); return create(blob); };
      document.getElementById("save").click();
    });
    await page.until("the training", () => page.page.evaluate(() => downloads.some((size) => size > 10000)));
    await page.page.evaluate(() => loses.restoreContext());
    await page.until("no sentence", () => page.page.evaluate(() => document.getElementById("front").hidden));
    await page.run("train pause");
    const differs = await walk.differs(page, before, await show());
    assert.ok(differs.mean < 3 && differs.visible < 0.05, JSON.stringify(differs)); // there is a run beside it now
    assert.deepStrictEqual(page.complaints, []);
    return differs;
  });
}

async function followsTheScreen(address) {
  await inATab({ address }, async (page) => {
    await page.run("lesson door off");
    const before = await page.page.evaluate(() => document.getElementById("canvas").width);
    await page.page.setViewport({ width: 1280, height: 800, deviceScaleFactor: 2 });
    await page.until("as many pixels", () => page.page.evaluate((then) =>
      document.getElementById("canvas").width === 2 * then, before));
    page.options.dots = 2;
    await sleep(500);
    const step = (await page.text()).step.path;
    await page.press("step.forward");
    await page.until("another step", async () => (await page.text()).step.path !== step);
  });
}

// --- beside other things -------------------------------------------------------------------------------------

const framing = (sandbox) => `<!DOCTYPE html><body style="height: 3000px; margin: 0"><input autofocus id="own">
<iframe src="/" ${sandbox ? `sandbox="${sandbox}"` : ""} width="900" height="600"></iframe></body>`;

async function staysInItsFrame(serve) {
  const server = await serve({ frames: true }), address = `http://127.0.0.1:${server.address().port}/framed`;
  const frameOf = async (page, sandbox) => {
    await page.page.goto(address + sandbox);
    const handle = await page.page.waitForSelector("iframe");
    const frame = await handle.contentFrame();
    await frame.waitForFunction(() => window.headlight && (headlight.firstPicture || headlight.failed), { timeout: 90000 });
    assert.strictEqual(await frame.evaluate(() => headlight.failed), "");
    return frame;
  };
  await unopened(async (page) => {
    const frame = await frameOf(page, "");
    assert.strictEqual(await page.page.evaluate(() => document.activeElement.id), "own", "the keyboard is the other page's");
    const wheel = async () => {
      const before = await page.page.evaluate(() => scrollY);
      await page.page.mouse.move(300, 300);
      await page.page.mouse.wheel({ deltaY: 60 });
      await sleep(600);
      const scrolled = await page.page.evaluate(() => scrollY) - before;
      await page.page.evaluate(() => scrollTo(0, 0));
      return scrolled;
    };
    assert.ok(await wheel() > 0, "the wheel is the other page's");
    await page.page.mouse.click(300, 300);
    await sleep(300);
    assert.strictEqual(await wheel(), 0, "after a click it is this page's");
    assert.strictEqual(await frame.evaluate(() => document.activeElement.id), "typing");
  });
  await unopened((page) => frameOf(page, "?allow-scripts").then(async (frame) => {
    const wrong = await frame.evaluate(() => headlight.do("source the cat"));
    assert.strictEqual(wrong, "");
    await sleep(1500);
    assert.deepStrictEqual(page.complaints, []);
  }));
  server.close();
}

async function followsTheSystem(address) {
  await inATab({ address: "about:blank", waits: false, scheme: "light" }, async (page) => {
    await page.page.evaluateOnNewDocument(() => { try { localStorage.clear(); } catch (none) { /* not there yet */ } });
    await page.visit(address);
    assert.strictEqual((await page.text()).theme, "light");
  });
}

async function tellsOfItself(address) {
  await inATab({ address }, async (page) => {
    await page.run("lesson door off");
    const icon = await page.page.evaluate(async () => {
      const response = await fetch(document.querySelector("link[rel=icon]").href);
      return response.ok && (await response.text()).includes("<svg");
    });
    assert.ok(icon, "an icon");
    await page.run("source the cat sat");
    await page.until("a title", async () => /the cat sat.*Headlight/.test(await page.page.title()));
    await page.chord("Control", "k");
    await page.type("lesson 3");
    await page.page.keyboard.press("Enter");
    await page.until("lesson 3", async () => /room lesson/.test(await page.lines()));
    await page.until("its title", async () => !/the cat sat/.test(await page.page.title()));
    await page.page.evaluate(() => {
      window.downloads = [];
      const create = URL.createObjectURL;
      URL.createObjectURL = (blob) => { downloads.push(blob.type); return create(blob); };
    });
    await page.run("screenshot window.png");
    await page.until("a picture", () => page.page.evaluate(() => downloads.includes("image/png")));
  });
}

// --- links, places, and what stays ----------------------------------------------------------------------------

async function goesThereAndBack(page) {
  const follow = (hash) => page.page.evaluate((link) => { location.hash = link; }, hash);
  await follow("#model=everyday-en-pt&text=I+like+my+dog&at=decoder.0.cross_attn.weights");
  await page.until("the model", async () => /^model everyday-en-pt$/m.test(await page.lines()));
  assert.match(await page.lines(), /^source I like my dog$/m);
  assert.match(await page.lines(), /^goto decoder\.0\.cross_attn\.weights$/m);
  assert.match(await page.page.title(), /I like my dog/);
  await page.run("room heads");
  await page.until("its address", () => page.page.evaluate(() => /room=heads/.test(location.hash)));
  await page.page.evaluate(() => history.back());
  await page.until("the place before", async () => !/^room heads$/m.test(await page.lines()));
  await follow("#lesson=03&card=2&lang=pt");
  await page.until("the card", async () => ((await page.text()).lesson || {}).card === 2);
  assert.strictEqual((await page.text()).language, "pt");
  await page.run("language en");
  await page.run("lesson close");
  await page.run("notice off");
}

async function outlivesItself(page) {
  const again = async () => {
    await sleep(2600); // it is kept every two seconds
    await page.page.reload({ waitUntil: "domcontentloaded" });
    await page.until("the page again", () => page.page.evaluate(() => window.headlight && headlight.isWhole), 60);
  };
  for (const line of ["lesson open 3", "lesson card 1", "lesson again", "lesson point 1"]) await page.run(line);
  const verdict = (text) => text.lesson.blocks.find((block) => block.verdict).verdict, before = verdict(await page.text());
  await again();
  assert.strictEqual(verdict(await page.text()), before, "an answer stays");
  await page.run("lesson close");
  for (const line of ["room train", "train task copy", "train start 5"]) await page.run(line);
  const step = async () => ((await page.text()).training || {}).step;
  await page.until("five steps", async () => await step() === 5, 60);
  await page.until("that nothing is to be lost", () => page.page.evaluate(() => !headlight.module._headlight_has_unsaved()), 30);
  await again();
  await page.run("room train");
  await page.until("the run of before", async () => await step() === 5);
}

async function opensWithoutAServer(page, server) {
  await page.until("that all is kept", () => page.page.evaluate(async () => {
    const kept = await (await caches.open("headlight")).keys();
    return kept.some((one) => /later\.tar/.test(one.url)) && kept.some((one) => /sentiment/.test(one.url));
  }), 60);
  const address = page.page.url().split("#")[0];
  await page.page.goto("about:blank");
  server.closeAllConnections && server.closeAllConnections();
  await new Promise((done) => server.close(done));
  page.complaints.length = 0;
  await page.visit(address + "#lesson=09&card=1&lang=en");
  assert.strictEqual((await page.text()).lesson.card, 1);
  await page.run("model sentiment");
}

// A page of a course, of which nothing is known: a sandbox that may run scripts alone, from a server without headers.
async function inBareFrames(check, serve) {
  const first = await Page.open({ address: "about:blank", waits: false });
  browser = first.browser;
  try {
    await check("opens from a disk, without a server", opensFromADisk);
    const server = await serve(), address = `http://127.0.0.1:${server.address().port}/`;
    await check("a lesson in a frame that may run scripts alone", () => unopened(async (page) => {
      await page.page.setContent(`<iframe sandbox="allow-scripts" width="900" height="600" src="${address}?embed#lesson=09&card=2&lang=pt"></iframe>`);
      const frame = await (await page.page.waitForSelector("iframe")).contentFrame();
      await frame.waitForFunction(() => window.headlight && (headlight.firstPicture || headlight.failed), { timeout: 90000 });
      assert.strictEqual(await frame.evaluate(() => headlight.failed), "");
      await page.until("its card", () => frame.evaluate(() => /O que você espera/.test(document.getElementById("side").textContent)));
      await frame.evaluate(() => document.getElementById("large").click()); // which this sandbox forbids
      await page.until("the address, to be copied", () => frame.evaluate(() =>
        /^http[^?]*#lesson=09&card=2&lang=pt$/.test(document.getElementById("status").textContent)));
    }));
    server.close();
  } finally {
    await first.close();
  }
}

// --- all of it -----------------------------------------------------------------------------------------------

async function all(check, serve, address) {
  const first = await Page.open({ address: "about:blank", waits: false });
  browser = first.browser;
  try {
    await check("without WebGL 2 a sentence says so",
      () => saysWhy(address, /WebGL 2/, () => { delete window.WebGL2RenderingContext; }));
    await check("without SIMD a sentence says so",
      () => saysWhy(address, /SIMD/, () => { WebAssembly.validate = () => false; }));
    await check("opens from a disk, without a server", () => opensFromADisk());
    await check("goes on where the network ends", () => goesOnWithoutNetwork(serve));
    await check("a link is followed, or a sentence says why not", () => measuresLinks(address));
    await check("a link leads to the same in any window", () => leadsToTheSame(address));
    await check("two tabs keep what either did", () => keepsBothTabs(address));
    await check("a training is not gone without a question", () => asksBeforeATrainingIsGone(address));
    await check("what is pasted or composed is kept and seen", () => keepsWhatIsPasted(address));
    await check("outlives its graphics", () => outlivesItsGraphics(address));
    await check("follows another screen", () => followsTheScreen(address));
    await check("stays in its frame", () => staysInItsFrame(serve));
    await check("is light where the system is", () => followsTheSystem(address));
    await check("has a title, an icon, lessons by number, pictures", () => tellsOfItself(address));
  } finally {
    await first.close();
  }
}

module.exports = { all, framing, goesThereAndBack, outlivesItself, opensWithoutAServer, inBareFrames };
