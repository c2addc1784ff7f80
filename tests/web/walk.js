// One walk through the page: types, steps, asks, silences, takes a lesson, trains, follows a link, saves and opens.
"use strict";
const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { sleep } = require("./browser");

const sentence = "O gato não dormiu";

async function typesAndSteps(page) {
  if (page.options.touch) await page.pressElement("welcome.try");
  else await page.press("door.try");
  await page.run("model translate-pt-en");
  if (page.options.touch) {
    await page.page.tap("#sentence");
    await page.page.evaluate(() => document.getElementById("sentence").select());
  } else {
    await page.press("source");
    await page.chord("Control", "a");
  }
  await page.type(sentence);
  await page.page.keyboard.press("Enter");
  await page.until("the sentence", async () => (await page.lines()).includes("source " + sentence));
  const step = async () => (await page.text()).step.path, before = await step();
  for (let i = 0; i < 2; ++i) page.options.touch ? await page.pressElement("step.forward") : await page.press("step.forward");
  await page.until("another step", async () => (await step()) !== before);
}

// What the browser keeps for itself, and what an input method writes.
async function leavesKeys(page) {
  const isTaken = (key, code, more = {}) => page.page.evaluate((k, c, m) => {
    const event = new KeyboardEvent("keydown", { key: k, code: c, cancelable: true, bubbles: true, ...m });
    document.getElementById("typing").dispatchEvent(event);
    document.getElementById("typing").dispatchEvent(new KeyboardEvent("keyup", { key: k, code: c, bubbles: true }));
    return event.defaultPrevented;
  }, key, code, more);
  for (const [key, code] of [["Tab", "Tab"], ["F5", "F5"], ["F12", "F12"], ["Dead", "Quote"]])
    assert.strictEqual(await isTaken(key, code), false, key + " is the browser's");
  for (const key of ["w", "t", "r"])
    assert.strictEqual(await isTaken(key, "Key" + key.toUpperCase(), { ctrlKey: true }), false, "Ctrl+" + key);
  assert.strictEqual(await isTaken("PageDown", "PageDown"), true, "Page Down is the program's");
  await page.press("source");
  await page.chord("Control", "a");
  await page.page.evaluate(() => {
    const field = document.getElementById("typing");
    field.dispatchEvent(new CompositionEvent("compositionstart"));
    for (const text of ["m", "ma", "maç"]) {
      field.value = text;
      field.dispatchEvent(new InputEvent("input", { isComposing: true }));
    }
    field.value = "maçã";
    field.dispatchEvent(new CompositionEvent("compositionend", { data: "maçã" }));
  });
  await page.page.keyboard.press("Enter");
  await page.until("what was composed", async () => /^source maçã$/m.test(await page.lines()));
  await page.run("source " + sentence);
}

async function asksACell(page) {
  await page.run("goto encoder.0.self_attn.weights");
  await sleep(1500);
  await page.pressCell("encoder.0.self_attn.weights.0", 1, 2);
  await page.until("a held number", async () => /select encoder\.0\.self_attn\.weights/.test(await page.lines()));
  const [, head, row, column] = /select encoder\.0\.self_attn\.weights (\d+) (\d+) (\d+)/.exec(await page.lines());
  const value = await page.value("encoder.0.self_attn.weights", +head, +row, +column);
  const text = await page.until("its words in the page", async () => {
    const words = await page.reads("held");
    return words.includes(value.toFixed(3)) && words;
  });
  assert.match(text, /exp\(/, "its arithmetic is told");
  return { row: +row, column: +column, head: +head, value };
}

// Every number of some values, as the desktop's program computed them.
async function equalsDesktop(page, desktop) {
  let largest = 0;
  for (const name of ["encoder.embed.output", "encoder.0.self_attn.weights", "decoder.1.cross_attn.weights",
    "output.logits"]) {
    const { shape, numbers } = desktop[name];
    const [heads, rows, columns] = shape.length === 3 ? shape : [1, ...shape];
    const here = await page.page.evaluate((path, h, r, c) => {
      const numbers = [];
      for (let a = 0; a < h; ++a) for (let b = 0; b < r; ++b) for (let i = 0; i < c; ++i)
        numbers.push(headlight.module.ccall("headlight_value", "number",
          ["string", "number", "number", "number"], [path, a, b, i]));
      return numbers;
    }, name, heads, rows, columns);
    here.forEach((number, i) => { largest = Math.max(largest, Math.abs(number - numbers[i])); });
    assert.ok(here.every(Number.isFinite), name + " is there");
  }
  assert.ok(largest < 1e-5, "largest difference from the desktop: " + largest);
  return largest;
}

async function silencesAHead(page) {
  const path = "output.logits", before = await page.value(path, 0, 0, 5);
  if (page.options.touch) { // the switch is beside the grid, where there is no room
    for (const line of ["change head encoder.0.self_attn 0 silence", "changes off"]) {
      await page.run(line);
      assert.strictEqual((await page.value(path, 0, 0, 5)) === before, line === "changes off");
    }
    return page.run("room explore");
  }
  await page.run("room heads");
  await page.press("grid.encoder.0.self_attn.0"); // large
  await page.press("silence.0");
  await page.until("another answer", async () => (await page.value(path, 0, 0, 5)) !== before);
  await page.page.keyboard.press("Escape");
  await page.chord("Control", "z");
  await page.until("the answer of before", async () => (await page.value(path, 0, 0, 5)) === before);
  await page.run("room explore");
}

// The lesson stands beside the canvas, as elements of the page.
async function takesLesson3(page) {
  await page.run("lesson door on");
  if (page.options.touch) await page.pressElement("ways.lessons"), await page.pressElement("lessons.3");
  else await page.press("lesson.row.2");
  await page.until("the lesson's page", async () => (await page.lines()).includes("room lesson"));
  await page.until("its first card", async () => /rato/.test(await page.reads("lesson")));
  await page.pressCell("lesson.scores", 1, 6); // a prediction is asked for on the first card
  await page.until("a verdict", async () => /verdict/.test(await page.page.evaluate(() => document.getElementById("side").innerHTML)));
  await page.pressElement("lesson.next");
  assert.ok(Math.abs(await page.value("plain.scores", 0, 1, 6) - 0.55) < 1e-6, "a number of the lesson is there");
  for (const answer of ["0.55", 2, "0.16", 1, "0.15"]) { // right ones and wrong ones
    const open = async () => (await page.text()).lesson.blocks.findIndex((block) => block.kind === "question" && block.open);
    const key = "lesson." + await page.until("a question", async () => { const at = await open(); return at >= 0 && String(at); });
    if (typeof answer === "number") await page.pressElement(`${key}.choose.${answer - 1}`);
    else {
      await page.page.evaluate((name) => document.querySelector(`[data-key="${name}.number"]`).focus(), key);
      await page.type(answer);
      await page.page.keyboard.press("Enter");
    }
    await page.until("what came of it", async () => await open() < 0);
    await page.pressElement("lesson.next");
  }
  await page.run("lesson vector 4 1 1"); // the last card asks to move a word
  await page.pressElement("lesson.next");
  await page.until("the end of the lesson", async () => !(await page.text()).lesson);
}

// A finger that rests points: what is there is explained, and nothing is pressed.
async function longPress(page) {
  await page.run("room explore");
  await page.run("goto encoder.0.self_attn.scores");
  await page.run("goto encoder.0.self_attn.weights");
  await sleep(2000);
  const fingers = await page.page.createCDPSession();
  const { x, y } = await page.placeOfCell("encoder.0.self_attn.weights.0", 1, 1), link = await page.link();
  await fingers.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  await sleep(1200);
  await fingers.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await sleep(300);
  assert.strictEqual(await page.link(), link, "a long press does not press");
}

// Two fingers come nearer, one moves the network.
async function gestures(page) {
  const fingers = await page.page.createCDPSession();
  const touch = (type, ...points) => fingers.send("Input.dispatchTouchEvent",
    { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const slowly = async (steps, at) => {
    await touch("touchStart", ...at(0));
    for (let i = 1; i <= steps; ++i) {
      await touch("touchMove", ...at(i));
      await sleep(40);
    }
    await touch("touchEnd");
    await sleep(800);
  };
  const rect = async (name) => {
    const found = await page.rectOf(name);
    return found ? [found.left, found.top, found.right, found.bottom] : [0, 0, 0, 0];
  };
  await page.run("room explore");
  await page.run("select encoder.0.self_attn.weights 0 1 2");
  await page.run("goto encoder.0.self_attn.weights");
  await sleep(1500);
  const card = "card.encoder.0.self_attn.weights", before = await rect(card);
  const x = (before[0] + before[2]) / 2, y = (before[1] + before[3]) / 2;
  await slowly(4, (i) => [[x, y - 60 + 4 * i], [x, y + 60 - 4 * i]]);
  const rests = async () => { // the camera comes to rest
    for (let was = ""; ; await sleep(300)) {
      const is = String(await rect(card));
      if (is === was) return is.split(",").map(Number);
      was = is;
    }
  };
  const smaller = await rests();
  assert.ok(smaller[3] - smaller[1] < 0.85 * (before[3] - before[1]), "two fingers zoom");
  const canvas = await rect("canvas"); // beside the card, where a drag would mark a part of its matrix
  await slowly(8, (i) => [[canvas[0] + 6, canvas[3] - 20 - 8 * i]]);
  const moved = await rests();
  assert.ok(moved[1] - smaller[1] < -15 && moved[1] - smaller[1] > -80, `a finger moves the network: ${moved[1] - smaller[1]}`);
  assert.strictEqual(await page.page.evaluate(() => scrollY), 0, "the page itself stays");
}

async function trainsCopy(page) {
  await page.run("room train");
  await page.run("train task copy");
  await page.run("train pace all");
  await page.run("train set seed 1");
  const begun = Date.now();
  if (page.options.touch) await page.pressElement("train.start");
  else await page.press("train.start");
  const told = async () => Number((/exact=([\d.]+)/.exec(await page.call("headlight_training", "string")) || [0, 0])[1]);
  let exact = 0;
  const pictures = [];
  await page.until("99 % of held-out sentences", async () => {
    exact = await told();
    pictures.push(await page.page.evaluate(() => {
      const times = headlight.pictures.slice(-60);
      return times.length > 1 ? 1000 * (times.length - 1) / (times[times.length - 1] - times[0]) : 0;
    }));
    return exact >= 0.99;
  }, 120);
  pictures.sort((a, b) => a - b);
  return { exact, seconds: (Date.now() - begun) / 1000, pictures: pictures[pictures.length >> 1] };
}

async function visitsRooms(page) {
  const rooms = ["heads", "whatif", "say", "lesson", "cabinet", "descent", "places", "memory", "norms", "costs",
    "train", "explore"];
  for (const room of rooms) {
    await page.run("room " + room);
    const before = await page.page.evaluate(() => headlight.pictures.length && headlight.pictures.at(-1));
    await page.until("pictures of " + room, () =>
      page.page.evaluate((since) => headlight.pictures.at(-1) > since + 500, before));
  }
}

async function followsALink(page, cell) {
  await page.run("model translate-pt-en");
  await page.run("source " + sentence);
  await page.run("room explore");
  await page.run(`select encoder.0.self_attn.weights ${cell.head} ${cell.row} ${cell.column}`);
  const address = await page.until("the address", () => page.page.evaluate(() => {
    const link = headlight.module.ccall("headlight_link", "string", [], []);
    return location.hash && link === location.hash ? location.href : "";
  }));
  await page.page.evaluate(() => localStorage.clear());
  await page.page.goto("about:blank");
  await page.visit(address);
  assert.match(await page.lines(), new RegExp("source " + sentence));
  const value = await page.value("encoder.0.self_attn.weights", cell.head, cell.row, cell.column);
  assert.ok(Math.abs(value - cell.value) < 1e-6, "the linked cell has its number");
  assert.match(await page.reads("held"), new RegExp(value.toFixed(3).replace(".", "\\.")));
  return address;
}

async function savesAndOpens(page) {
  await page.page.evaluate(() => {
    window.downloads = [];
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => { downloads.push(blob); return create(blob); };
  });
  const saved = await page.link();
  await page.run("save walk.headlight");
  const text = await page.until("the download",
    () => page.page.evaluate(() => downloads.length > 0 && downloads[downloads.length - 1].text()));
  await page.run("model copy");
  assert.notStrictEqual(await page.link(), saved);
  await page.page.evaluate((contents) => { // dropped on the page
    const data = new DataTransfer();
    data.items.add(new File([contents], "walk.headlight"));
    document.getElementById("canvas").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  }, text);
  await page.until("the session of before", async () => (await page.link()) === saved);
}

// The browser's picture of the page beside the desktop's: how many of 255 they differ by on average, and the share
// of pixels that differ visibly.
async function comparesPicture(page, desktopPicture) {
  return differs(page, fs.readFileSync(desktopPicture).toString("base64"), await page.page.screenshot({ encoding: "base64" }));
}
async function differs(page, one, other) {
  return page.page.evaluate(async (a, b) => {
    const pixels = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
      pen.drawImage(image, 0, 0);
      return pen.getImageData(0, 0, image.width, image.height);
    };
    const [one, two] = [await pixels(a), await pixels(b)];
    if (one.width !== two.width || one.height !== two.height) return { mean: 255, visible: 1 };
    let sum = 0, visible = 0;
    for (let i = 0; i < one.data.length; i += 4) {
      const differs = Math.max(...[0, 1, 2].map((c) => Math.abs(one.data[i + c] - two.data[i + c])));
      sum += differs;
      visible += differs > 24;
    }
    return { mean: sum / (one.data.length / 4), visible: visible / (one.data.length / 4) };
  }, one, other);
}

module.exports = { sentence, typesAndSteps, leavesKeys, asksACell, equalsDesktop, silencesAHead, takesLesson3, longPress, gestures, trainsCopy,
  visitsRooms, followsALink, savesAndOpens, comparesPicture,
  differs };
