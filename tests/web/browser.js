// A browser with the page in it, and what a person does there: clicks what has a name, taps, types.
"use strict";
const puppeteer = require("puppeteer-core");

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

class Page {
  constructor(browser, page, options) {
    Object.assign(this, { browser, page, options, complaints: [], asked: 0 });
    page.on("console", (message) => {
      if (["error", "warn", "warning"].includes(message.type())) this.complaints.push(message.text());
    });
    page.on("dialog", (dialog) => { // whether to leave
      ++this.asked;
      dialog.accept();
    });
    page.on("pageerror", (fault) => this.complaints.push(String(fault)));
  }

  // options: address, width, height, touch, dots (pixels per dot), firefox; browser: a tab of that one; waits: false
  static async open(options) {
    const { width = 1280, height = 800, touch = false, dots = 1, firefox = false } = options;
    const browser = options.browser || await puppeteer.launch(firefox
      ? { browser: "firefox", executablePath: process.env.FIREFOX || "/usr/bin/firefox-esr", headless: false }
      : { executablePath: process.env.CHROMIUM || "/usr/bin/chromium", headless: true, args: ["--no-sandbox",
        "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"] });
    const tab = await browser.newPage();
    await tab.setViewport(firefox ? { width, height }
      : { width, height, deviceScaleFactor: dots, hasTouch: touch, isMobile: touch });
    if (!firefox) await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: options.scheme || "dark" }]);
    const page = new Page(browser, tab, { ...options, touch, dots });
    if (options.waits !== false) await page.visit(options.address);
    return page;
  }

  async visit(address) {
    const before = this.page.url();
    await this.page.goto(address, { waitUntil: "domcontentloaded", timeout: 90000 });
    if (before.split("#")[0] === address.split("#")[0]) await this.page.reload({ waitUntil: "domcontentloaded" });
    await this.page.waitForFunction(() => window.headlight && (headlight.isWhole || headlight.failed),
      { timeout: 90000 });
    const failed = await this.page.evaluate(() => headlight.failed);
    if (failed) throw new Error(failed);
  }
  // Where the page is to be seen that far, and not whole.
  begins() {
    return this.page.waitForFunction(() => window.headlight && (headlight.firstPicture || headlight.failed),
      { timeout: 90000 });
  }
  says() { return this.page.evaluate(() => document.getElementById("says").textContent); }
  notice() { return this.call("headlight_notice", "string"); }

  call(name, returns, types = [], values = []) {
    return this.page.evaluate((n, r, t, v) => headlight.module.ccall(n, r, t, v), name, returns, types, values);
  }
  // What it shows, as text; as lines of a session; as an address.
  async text() { return JSON.parse(await this.call("headlight_text", "string")); }
  lines() { return this.call("headlight_session", "string"); }
  link() { return this.call("headlight_link", "string"); }
  // An element of the page, by its key or in a section of it; "" where there is none in sight.
  async pressElement(key) {
    await this.until("the element " + key, () => this.page.evaluate((name) => {
      const found = document.querySelector(`[data-key="${CSS.escape(name)}"]`);
      if (!found || found.disabled) return false;
      found.scrollIntoView({ block: "center" });
      found.click();
      return true;
    }, key));
    await sleep(300);
  }
  reads(section) {
    return this.page.evaluate((name) => {
      const found = document.querySelector(`[data-section="${name}"]`);
      return found && !found.hidden ? found.textContent : "";
    }, section);
  }
  value(path, batch, row, column) {
    return this.call("headlight_value", "number", ["string", "number", "number", "number"],
      [path, batch, row, column]);
  }
  // A command line, where a test is not about how a person gets there.
  async run(line) {
    const wrong = await this.call("headlight_do", "string", ["string"], [line]);
    if (/is being fetched/.test(wrong)) { // done again by itself
      const name = /“(.*)”/.exec(wrong)[1];
      return this.until("the model " + name, async () => (await this.lines()).includes("model " + name + "\n"));
    }
    if (wrong) throw new Error(line + ": " + wrong);
  }

  async until(what, condition, seconds = 20) {
    const limit = Date.now() + 1000 * seconds;
    while (Date.now() < limit) {
      const found = await condition();
      if (found) return found;
      await sleep(100);
    }
    await this.page.screenshot({ path: process.env.FAILURE || "failure.png" });
    throw new Error("waited in vain for " + what);
  }

  // In dots; null where there is none of that name.
  async rectOf(name) {
    const text = await this.call("headlight_widget", "string", ["string"], [name]);
    if (!text) return null;
    const [left, top, right, bottom] = text.split(" ").map((pixels) => pixels / this.options.dots);
    const { x, y } = await this.corner();
    return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
  }
  corner() { // of the canvas
    return this.page.evaluate(() => {
      const { left, top } = document.getElementById("canvas").getBoundingClientRect();
      return { x: left, y: top };
    });
  }
  async placeOf(name) {
    const { left, top, right, bottom } = await this.until("the widget " + name, () => this.rectOf(name));
    return { x: (left + right) / 2, y: (top + bottom) / 2 };
  }
  // Scrolls a column until the widget is in it; returns its name.
  async inSight(name, column) {
    const around = await this.until("the column " + column, () => this.rectOf(column));
    await this.until(name + " in sight", async () => {
      const rect = await this.rectOf(name);
      if (rect && rect.bottom <= around.bottom) return true;
      const x = (around.left + around.right) / 2, y = around.bottom - 12;
      await this.drag(x, y, -40);
      return false;
    });
    return name;
  }
  // By a finger or the wheel, so many dots up or down.
  async drag(x, y, down) {
    if (!this.options.touch) {
      await this.page.mouse.move(x, y);
      await this.page.mouse.wheel({ deltaY: -down });
    } else {
      await this.page.touchscreen.touchStart(x, y);
      for (let i = 1; i <= 8; ++i) await this.page.touchscreen.touchMove(x, y + down * i / 8);
      await this.page.touchscreen.touchEnd();
    }
    await sleep(300);
  }
  async placeOfCell(name, row, column) {
    const text = await this.until("a cell of " + name,
      () => this.call("headlight_cell", "string", ["string", "number", "number"], [name, row, column]));
    const [x, y] = text.split(" ").map((pixels) => pixels / this.options.dots), corner = await this.corner();
    return { x: x + corner.x, y: y + corner.y };
  }
  async pressAt({ x, y }) {
    if (this.options.touch) await this.page.touchscreen.tap(x, y);
    else await this.page.mouse.click(x, y, { delay: 30 });
    await sleep(500);
  }
  async press(name) { await this.pressAt(await this.placeOf(name)); }
  async pressCell(name, row, column) { await this.pressAt(await this.placeOfCell(name, row, column)); }

  // As a keyboard does, accents as an input method does.
  async type(text) {
    for (const character of text) {
      if (/^[ -~]$/.test(character)) await this.page.keyboard.press(character === " " ? "Space" : character);
      else await this.page.keyboard.sendCharacter(character);
    }
  }
  async chord(modifier, key) {
    await this.page.keyboard.down(modifier);
    await this.page.keyboard.press(key);
    await this.page.keyboard.up(modifier);
    await sleep(300);
  }

  close() { return this.options.browser ? this.page.close() : this.browser.close(); }
}

module.exports = { Page, sleep };
