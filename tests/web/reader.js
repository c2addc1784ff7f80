// A student who does not see: everything by the accessibility tree alone. What is there has a role and a name; it gets the
// keyboard, and keys do the rest. No place on the screen is known here.
"use strict";
const assert = require("assert");
const { sleep } = require("./browser");

class Reader {
  static async begin(page) {
    const reader = new Reader();
    reader.page = page;
    reader.tree = await page.page.createCDPSession();
    await reader.tree.send("Accessibility.enable");
    await reader.tree.send("DOM.enable");
    return reader;
  }

  async nodes() {
    const { nodes } = await this.tree.send("Accessibility.getFullAXTree");
    return nodes.filter((node) => !node.ignored && node.role).map((node) => ({ role: node.role.value,
      name: node.name ? node.name.value : "", disabled: (node.properties || []).some((one) => one.name === "disabled" && one.value.value),
      id: node.backendDOMNodeId, value: node.value && node.value.value }));
  }
  find(role, name) {
    return this.page.until(`${role} “${name}”`, async () => (await this.nodes()).find((node) =>
      node.role === role && !node.disabled && (name instanceof RegExp ? name.test(node.name) : node.name === name)));
  }
  async has(role, name) {
    return (await this.nodes()).some((node) => node.role === role && !node.disabled && (name instanceof RegExp ? name.test(node.name) : node.name === name));
  }
  async press(role, name) {
    const node = await this.find(role, name);
    await this.tree.send("DOM.focus", { backendNodeId: node.id });
    await this.page.page.keyboard.press("Enter");
    await sleep(400);
  }
  async type(role, name, text) {
    const node = await this.find(role, name);
    await this.tree.send("DOM.focus", { backendNodeId: node.id });
    await this.page.type(text);
    await this.page.page.keyboard.press("Enter");
    await sleep(400);
  }
  async reads() { return (await this.nodes()).filter((node) => node.role === "StaticText").map((node) => node.name).join(" "); }

  // Whatever a card asks is answered, as somebody guesses who knows nothing; what came of it is read.
  async answersCard() {
    for (let questions = 0; questions < 6; ++questions) {
      const open = ((await this.page.text()).lesson.blocks || []).find((block) => block.kind === "question" && block.open);
      if (!open) return questions;
      if (open.asks === "choice") await this.press("button", /^1\./);
      else if (open.asks === "number") await this.type("textbox", "Your guess", "0.5");
      else await this.press("button", open.words[0]);
      await this.page.until("what came of " + JSON.stringify(open).slice(0, 400), async () => {
        const now = (await this.page.text()).lesson.blocks.filter((block) => block.kind === "question");
        return now.some((block) => block.told) || now.every((block) => !block.open) || now.some((block) => (block.choices || []).some((one) => one.chosen));
      });
      if (open.asks !== "choice") assert.match(await this.reads(), /Right:|Not quite:/, "it is told how near the answer was");
      else if ((await this.page.text()).lesson.blocks.some((block) => block.kind === "question" && block.open && block.choices && block.choices.some((one) => one.chosen)))
        return questions; // a training is to tell
    }
    return 6;
  }

  async takesLesson(number) {
    await this.page.run("lesson open " + number);
    await this.page.until("its model", () => this.page.page.evaluate(() => !headlight.awaits));
    const { cards, title } = (await this.page.text()).lesson;
    assert.ok(await this.has("heading", title), "the lesson's title is a heading");
    let asked = 0;
    for (let card = 1; card <= cards; ++card) {
      await this.page.until("card " + card, async () => (await this.page.text()).lesson.card === card
        && await this.page.page.evaluate(() => !headlight.awaits));
      assert.ok(await this.has("heading", (await this.page.text()).lesson.heading), "the card's title is a heading");
      asked += await this.answersCard();
      await this.press("button", card < cards ? /^Next →$/ : /^Finish$/);
    }
    await this.page.until("the end", async () => !(await this.page.text()).lesson);
    return { cards, asked };
  }

  // The sentence is typed, the answer heard, a number followed to where it comes from.
  async asks() {
    await this.page.run("room explore");
    await this.page.run("model translate-en-pt");
    const field = await this.find("textbox", "Type a sentence");
    await this.tree.send("DOM.focus", { backendNodeId: field.id });
    await this.page.page.keyboard.down("Control");
    await this.page.page.keyboard.press("a");
    await this.page.page.keyboard.up("Control");
    await this.page.type("the cat sleeps");
    await this.page.page.keyboard.press("Enter");
    await this.page.until("the answer", async () => (await this.reads()).includes((await this.page.text()).sentence.answer));
    await this.press("button", "Step forward (→)");
    await this.press("button", "As a table");
    assert.ok((await this.nodes()).filter((node) => node.role === "cell" || node.role === "gridcell").length > 20, "a matrix is a table");
    await this.page.run("select encoder.0.self_attn.weights 0 1 1");
    await this.find("heading", /attention weights/);
    const terms = (await this.page.text()).held.lines.flatMap((line) => line.terms).filter((term) => term.go);
    await this.press("button", terms[0].text || terms[0].number);
    await this.press("button", "Back to the number before");
    await this.press("button", "Let go");
    assert.ok(!(await this.page.text()).held);
  }
}

// What has the keyboard is seen, in an order that is that of reading; no trap.
async function walksWithTab(page) {
  await page.run("lesson open 3");
  await page.page.evaluate(() => document.body.focus());
  const seen = [];
  for (let i = 0; i < 60; ++i) {
    await page.page.keyboard.press("Tab");
    const at = await page.page.evaluate(() => {
      const one = document.activeElement, box = one.getBoundingClientRect();
      return { key: one.dataset.key || one.id || one.tagName, top: box.top, inside: one.id === "typing"
        || (box.width > 1 && box.height > 1 && box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight),
      outline: getComputedStyle(one).outlineStyle };
    });
    if (at.key === "BODY") break; // the browser's own
    assert.ok(at.inside, at.key + " is seen when it has the keyboard");
    if (at.key !== "typing" && at.key !== "canvas") assert.notStrictEqual(at.outline, "none", at.key + " shows that it has the keyboard");
    if (seen.includes(at.key)) break;
    seen.push(at.key);
  }
  assert.ok(seen.includes("lesson.next"), "Tab walks the lesson: " + seen);
  await page.run("lesson close");
  return { stops: seen.length };
}

module.exports = { Reader, walksWithTab };
