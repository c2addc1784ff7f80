// What the window shows, as elements of the page (app/ui/window/window_text.h says what there is): to be read aloud, found,
// copied, translated and typed into. Everything done here is a command of the window.
"use strict";

const headlightText = (function () {
  const element = (id) => document.getElementById(id);
  let lost = null;
  let module, state = {}, language = "", isPhone = false, outside = -1, table = null;
  const words = {}, shown = {}, sections = {};

  const ask = (name, types = [], values = []) => module.ccall(name, "string", types, values);
  const run = (lines) => { for (const line of [].concat(lines)) headlight.do(line); update(true); };

  function t(key, ...values) {
    if (!(key in words)) words[key] = ask("headlight_string", ["string"], [key]);
    return words[key].replace(/\{(\d)\}/g, (all, place) => values[place] ?? all);
  }

  // One element that never goes says what has changed; what is said again is said again.
  function announce(...parts) {
    const text = parts.filter((part) => part).join(". ");
    if (!text) return;
    element("voice").textContent = text === element("voice").textContent ? text + " " : text;
  }

  // h("p", { class: "soft" }, "text", child): text is text; a formula's markup comes from the program alone (math).
  function h(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === undefined || value === null || value === false) continue;
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (name === "value") made.value = value;
      else made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
    return made;
  }
  function math(markup, displayed = false) {
    const made = h(displayed ? "div" : "span", { class: displayed ? "scrolls" : null, tabindex: displayed ? -1 : null });
    made.innerHTML = markup;
    return made;
  }
  const button = (key, label, does, more = {}) =>
    h("button", { type: "button", "data-key": key, onclick: typeof does === "function" ? does : () => run(does), ...more }, label);
  // By the pointer at once; by keys once somebody has found what is looked for (Enter, or on to the next).
  function choice(key, label, options, does) {
    let byKeys = false;
    const here = Math.max(0, options.findIndex((one) => one.here));
    const take = (list) => { const chosen = options[list.selectedIndex]; if (list.selectedIndex !== here && chosen.do) does(chosen); };
    return h("select", { "data-key": key, "aria-label": label,
      onpointerdown: () => { byKeys = false; },
      onkeydown: (event) => { if (event.key === "Enter") take(event.target); else byKeys = true; },
      onblur: (event) => { if (byKeys) take(event.target); },
      onchange: (event) => { if (!byKeys) take(event.target); } },
    options.map((one) => h("option", { selected: one.here }, one.title)));
  }

  // --- matrices ------------------------------------------------------------------------------------------------

  function tableOf(path, head) {
    const matrix = JSON.parse(ask("headlight_matrix", ["string", "number"], [path, head]));
    if (!matrix.cells) return null;
    return [
      matrix.heads > 1 ? h("div", { class: "row" }, [...Array(matrix.heads).keys()].map((i) =>
        button("table.head." + i, t("story.head_number", i + 1), () => { table = { path, head: i }; update(true); },
          { "aria-pressed": i === head ? "true" : "false" }))) : null,
      h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": matrix.title },
        h("table", null, h("caption", null, matrix.title, matrix.cut ? " · " + t("page.table.cut") : ""),
          h("thead", null, h("tr", null, h("td"), matrix.columns.map((one) => h("th", { scope: "col" }, one)))),
          h("tbody", null, matrix.cells.map((row, i) => h("tr", null, h("th", { scope: "row" }, matrix.rows[i]), row.map((cell) =>
            h("td", { class: "number" }, cell === "" ? "?" : cell))))))),
    ];
  }

  const tableToggle = (key, path, head = 0, title = t("page.table")) => {
    const isOpen = table && table.path === path;
    return [button(key, title, () => { table = isOpen ? null : { path, head }; update(true); },
      { "aria-expanded": isOpen ? "true" : "false" }), isOpen ? tableOf(path, table.head) : null];
  };

  // --- lessons -------------------------------------------------------------------------------------------------

  function lit(at) {
    const point = (cell) => () => module.ccall("headlight_point_at", null, ["string"], [cell]);
    return at ? { onpointerenter: point(at), onpointerleave: point(""), onfocus: point(at), onblur: point("") } : {};
  }

  function span(one, key) {
    const inside = one.math ? math(one.math) : document.createTextNode(one.text);
    let made = inside;
    if (one.code) made = h("code", null, made);
    if (one.emphasis) made = h("em", null, made);
    if (one.strong) made = h("strong", null, made);
    if (!one.do) return made;
    const link = h("button", { type: "button", class: one.button ? "words" : "plain", "data-key": key, title: one.says,
      onclick: () => {
        if (one.table) table = { path: one.table, head: 0 };
        run(one.do);
      }, ...lit(one.at) }, made);
    return one.says ? [link, h("span", { class: "soft number" }, " (" + one.says.split(" = ").pop() + ")")] : link;
  }
  const spans = (all, key) => all.map((one, i) => span(one, key + "." + i));

  function question(block, key) {
    const parts = [h("h4", null, t(block.told ? "teach.predicted" : "teach.predict")), blocks(block.blocks, key)];
    if (block.asks === "choice")
      parts.push(block.choices.map((one, i) => {
        const mark = one.right ? "✓ " : block.told && one.chosen ? "✗ " : "";
        const said = [one.right ? " (" + t("page.is_right") + ")" : "", one.chosen ? " (" + t("page.is_chosen") + ")" : ""].join("");
        const label = [mark + (i + 1) + ". ", spans(one.spans.map((part) => ({ ...part, do: null })), key + ".choice." + i),
          said ? h("span", { class: "soft" }, said) : null];
        const look = "choice" + (one.right ? " right" : block.told && one.chosen ? " wrong" : "");
        return [block.open ? h("button", { type: "button", class: look, "data-key": key + ".choose." + i,
          "aria-pressed": one.chosen ? "true" : "false", onclick: () => run("lesson choose " + (i + 1)) }, label)
          : h("p", { class: look }, label),
        one.reason ? h("p", null, spans(one.reason, key + ".reason." + i)) : null];
      }));
    if (block.asks === "number" && block.open)
      parts.push(h("form", { class: "row", onsubmit: (event) => {
        event.preventDefault();
        const typed = event.target.elements[0].value.trim().replace(",", ".");
        if (typed && isFinite(Number(typed))) return run("lesson answer " + Number(typed));
        event.target.elements[0].setAttribute("aria-invalid", "true");
        announce(t("page.number_please"));
      } }, h("label", { for: key + ".number" }, t("teach.guess")),
      h("input", { type: "text", inputmode: "decimal", id: key + ".number", "data-key": key + ".number", autocomplete: "off" }),
      h("button", { class: "primary", "data-key": key + ".check" }, t("teach.check"))));
    if (block.asks === "cell" && block.open)
      parts.push(h("p", { class: "soft" }, t("page.lesson.point")), h("div", { class: "row" }, (block.words || []).map((word, i) =>
        button(key + ".point." + i, word, "lesson point " + i))));
    if (block.open) parts.push(h("div", { class: "row" }, button(key + ".reveal", t("teach.reveal"), "lesson reveal")));
    if (block.verdict)
      parts.push(h("p", { class: "verdict " + block.how }, t("page." + block.how) + " " + block.verdict),
        h("div", { class: "row" }, button(key + ".where", t("teach.where"), block.where)));
    return h("div", { class: "question", role: "group", "aria-label": t("teach.predict") }, parts);
  }

  function blocks(all, key) {
    const made = [];
    let list = null, rows = null;
    all.forEach((block, i) => {
      const name = key + "." + i;
      if (block.kind !== "item") list = null;
      if (block.kind !== "row") rows = null;
      if (block.kind === "item") {
        if (!list) made.push(list = h("ul"));
        list.append(h("li", null, spans(block.spans, name)));
      } else if (block.kind === "row") {
        if (!rows) {
          rows = h("tbody");
          made.push(h("div", { class: "scrolls" }, h("table", { class: "card-row" }, rows)));
        }
        rows.append(h("tr", null, block.cells.map((cell, k) => h("td", null, spans(cell, name + "." + k)))));
      } else if (block.kind === "question") made.push(question(block, name));
      else made.push(h({ paragraph: "p", heading: "h4", code: "pre" }[block.kind], null, spans(block.spans, name)));
    });
    return made;
  }

  function lesson(at) {
    const isLast = at.card === at.cards;
    const turn = (by) => () => {
      run(by > 0 ? (isLast ? "lesson close" : "lesson card next") : "lesson card back");
      const heading = sections.lesson && sections.lesson.querySelector("h3");
      if (heading) heading.focus(), heading.scrollIntoView({ block: "nearest" });
    };
    const goes = (card) => () => { run("lesson card " + card); sections.lesson.querySelector("h3").focus(); };
    return [
      h("div", { class: "row" }, h("h2", { style: "flex: 1" }, at.title),
        button("lesson.close", "×", "lesson close", { "aria-label": t("page.lesson.close") })),
      h("ol", { class: "cards" }, at.done.map((done, i) => h("li", null, button("lesson.card." + i, String(i + 1),
        goes(i + 1), { class: done ? "done" : null, "aria-label": t("page.lesson.card", i + 1, at.cards) + (done ? " ✓" : ""),
          "aria-current": i + 1 === at.card ? "step" : null })))),
      h("h3", { tabindex: -1 }, at.heading),
      headlight.awaits ? h("p", { class: "soft" }, t("page.model_comes", headlight.awaits))
        : at.trouble ? h("p", { class: "unknown" }, at.trouble) : null,
      // Before its model is there nobody can say what is right.
      blocks(headlight.awaits ? at.blocks.filter((block) => block.kind !== "question") : at.blocks, "lesson"),
      table ? h("div", null, tableOf(table.path, table.head)) : null,
      "found" in at ? h("p", { class: "soft" }, (at.found ? "✓ " : "○ ") + t(at.found ? "teach.found" : "teach.find")) : null,
      at.score ? h("p", null, at.score) : null,
      at.next ? h("p", null, button("lesson.next_lesson", t("teach.next_lesson", at.next.title), at.next.do)) : null,
      h("div", { class: "row" },
        button("lesson.back", "←", turn(-1), { disabled: at.card === 1, "aria-label": t("page.lesson.before") }),
        at.setup ? button("lesson.setup", t("teach.setup"), "lesson setup") : null,
        button("lesson.again", t("teach.again"), "lesson again"),
        button("lesson.next", isLast ? t("teach.finish") : t("teach.next") + " →", turn(1), { class: "primary", style: "margin-left: auto" })),
    ];
  }

  // --- the rest ------------------------------------------------------------------------------------------------

  function sentence(at) {
    const go = (event) => {
      event.preventDefault();
      run("source " + event.target.elements.sentence.value.replace(/\s+/g, " "));
      if (isPhone) document.activeElement.blur(); // the keyboard on the screen goes
    };
    const unknown = at.words.filter((word) => word.unknown).map((word) => word.text);
    return [
      h("form", { class: "row", onsubmit: go }, h("label", { for: "sentence" }, t("window.source.label")),
        h("input", { type: "text", id: "sentence", "data-key": "sentence", name: "sentence", value: at.typed, enterkeyhint: "go", onfocus: (event) => event.target.select(),
          autocomplete: "off", autocapitalize: "off", spellcheck: "false" }),
        h("button", { "data-key": "sentence.go" }, t("page.send"))),
      h("div", { class: "row" }, h("label", { for: "answer" }, t("window.output.label")),
        h("output", { id: "answer", for: "sentence", "aria-live": "off", class: at.guess ? "guess" : null }, at.answer || t("window.output.empty"))),
      unknown.length ? h("p", { class: "unknown" }, unknown.length === 1 ? t("window.unknown.one", unknown[0])
        : t("window.unknown.many", "“" + unknown.join("”, “") + "”")) : null,
    ];
  }

  // What a page is for, its matrices as tables, and what is dragged there as numbers.
  const about = (at) => [
    h("h2", null, at.page), h("p", { class: "soft" }, at.about),
    at.points ? h("details", { "data-open": "points" }, h("summary", null, t("page.points")), h("table", null,
      h("thead", null, h("tr", null, h("td"), h("th", { scope: "col" }, "x"), h("th", { scope: "col" }, "y"))),
      h("tbody", null, at.points.map((point, i) => {
        const number = (axis) => h("td", null, h("input", { type: "number", step: 0.1, value: point[axis], "data-key": `points.${i}.${axis}`,
          "aria-label": point.word + ", " + axis, onchange: (event) => {
            const now = { ...point, [axis]: Number(event.target.value) };
            run(`${point.do} ${now.x} ${now.y}`);
          } }));
        return h("tr", null, h("th", { scope: "row" }, point.word), number("x"), number("y"));
      })))) : null,
    at.values.length && !isPhone ? h("details", { "data-open": "values" }, h("summary", null, t("page.matrices")),
      h("ul", null, at.values.map((value, i) => h("li", null, tableToggle("values." + i, value.path, 0, value.title))))) : null,
  ];

  const places = (at) => h("div", { class: "row" },
    isPhone ? null : choice("pages", t("page.go_to"), at.pages, (page) => run(page.do)),
    choice("models", t("page.model"), at.models.map((one) => ({ ...one, do: "model " + one.name })), (model) => run(model.do)),
    at.sentence && at.sentence.examples.length ? choice("examples", t("page.examples"),
      [{ title: t("page.examples"), here: true }].concat(at.sentence.examples.map((one) => ({ title: one, do: "source " + one }))),
      (one) => run(one.do)) : null);

  function film(at) {
    const seconds = (n) => Math.floor(n / 60) + ":" + String(Math.floor(n % 60)).padStart(2, "0");
    return [
      h("h2", null, t("page.film")),
      h("div", { class: "row" },
        button("film.play", at.playing ? "❚❚" : "▶", at.playing ? "film pause" : "film play",
          { class: "primary", "aria-label": t(at.playing ? "page.film.pause" : "page.film.play") }),
        at.on ? button("film.previous", "←", "film scene previous", { "aria-label": t("page.film.previous") }) : null,
        at.on ? button("film.next", "→", "film scene next", { "aria-label": t("page.film.next") }) : null,
        at.on ? h("span", { class: "soft" }, t("page.film.at", at.scene, at.scenes)) : null,
        at.on ? button("film.off", "×", "film off", { "aria-label": t("page.film.leave"), style: "margin-left: auto" })
          : h("span", { class: "soft" }, seconds(at.length))),
      at.on ? h("input", { type: "range", min: 0, max: at.length, step: 0.1, value: at.seconds, "data-key": "film.time",
        "aria-label": t("page.film.place"), "aria-valuetext": seconds(at.seconds), oninput: (event) => run("film time " + event.target.value) }) : null,
      at.on ? h("div", null, h("h3", null, at.title), h("p", null, at.text),
        at.formula ? math(at.formula, true) : null) : null,
    ];
  }

  const step = (at) => [
    h("h2", null, at.place), h("h3", { tabindex: -1 }, at.title), h("p", null, at.text, " ", h("span", { class: "soft" },
      t("window.step.counter", at.number, at.steps))), at.formula ? math(at.formula, true) : null,
    h("div", { class: "row" },
      button("step.back", "←", "step -1", { "aria-label": t("window.step.back") }),
      button("step.forward", "→", "step +1", { "aria-label": t("window.step.forward") }),
      button("step.whole", t("page.whole"), "fit"), state.lesson ? null : tableToggle("step.table", at.path)),
  ];

  const held = (at) => [
    h("h2", null, t("page.held")),
    h("h3", { tabindex: -1 }, at.title, h("br"), at.cell, at.value ? [" = ", h("span", { class: "number" }, at.value)] : null),
    at.place ? h("p", { class: "soft" }, at.place) : null,
    at.covered ? h("p", null, at.covered) : null,
    at.formula ? math(at.formula, true) : null,
    (at.lines || []).map((line, i) => line.terms.length > 1
      ? h("div", { class: "scrolls" }, h("table", { class: "number" }, h("caption", null, line.text), h("tbody", null,
        line.terms.map((term, k) => h("tr", null, h("th", { scope: "row" }, term.label), h("td", null, term.go
          ? button("held." + i + "." + k, term.text || term.number, term.go, { class: "plain" }) : term.text),
        h("td", null, term.number))))))
      : h("p", { class: "arithmetic" }, line.terms.length === 1 && line.terms[0].go
        ? button("held." + i, line.text, line.terms[0].go, { class: "plain" }) : line.text)),
    at.note ? h("p", { class: "soft" }, at.note) : null,
    h("div", { class: "row" }, at.trail ? button("held.back", t("page.held.back"), "back") : null,
      button("held.release", t("page.held.release"), "unselect"), tableToggle("held.table", at.path)),
  ];

  function curve(points) {
    const most = Math.max(...points.map(([, loss]) => loss), 1e-9), last = Math.max(points[points.length - 1][0], 1);
    const line = (which, scale) => points.map((one) => `${(100 * one[0] / last).toFixed(1)},${(40 - 38 * one[which] / scale).toFixed(1)}`).join(" ");
    const made = h("div", { "aria-hidden": "true" });
    made.innerHTML = `<svg class="curve" viewBox="0 0 100 42" preserveAspectRatio="none"><polyline points="${line(1, most)}" fill="none"
      stroke="var(--key)" vector-effect="non-scaling-stroke" stroke-width="2"/><polyline points="${line(2, 1)}" fill="none"
      stroke="var(--value)" vector-effect="non-scaling-stroke" stroke-width="2"/></svg>`;
    return [made, h("p", { class: "soft", "aria-hidden": "true" }, h("span", { class: "ink-key" }, "— "), t("page.training.loss"), "  ",
      h("span", { class: "ink-value" }, "— "), t("page.training.exact"))];
  }

  function training(at) {
    const percent = (share) => (100 * share).toFixed(share < 1 && share > 0.995 ? 2 : 0);
    return [
      h("h2", null, t("page.training")),
      at ? h("p", null, at.name + ": " + t("page.training.now", at.step, at.loss === undefined ? "–" : at.loss.toFixed(3),
        at.exact === undefined ? "–" : percent(at.exact))) : h("p", { class: "soft" }, t("page.training.none")),
      at && at.trouble ? h("p", { class: "unknown" }, at.trouble) : null,
      h("div", { class: "row" }, button("train.start", t(at && at.runs ? "page.training.pause" : "page.training.start"),
        at && at.runs ? "train pause" : "train start", { class: "primary" })),
      at && at.curve.length ? [curve(at.curve), h("details", { "data-open": "curve" }, h("summary", null, t("page.table")), h("table", null,
        h("thead", null, h("tr", null, ["page.training.step", "page.training.loss", "page.training.exact"].map((key) =>
          h("th", { scope: "col" }, t(key))))),
        h("tbody", null, at.curve.map(([n, loss, exact]) => h("tr", null, h("td", null, String(n)), h("td", null, loss.toFixed(3)),
          h("td", null, percent(exact) + " %"))))))] : null,
    ];
  }

  const notice = (at) => h("p", { class: "notice" + (at.error ? " error" : "") }, at.text, " ",
    at.offer ? button("notice.offer", at.offer, at.do) : null);

  const lessons = (all) => [h("h2", null, t("page.lessons")), h("ol", { style: "list-style: none; padding: 0" }, all.map((one) =>
    h("li", null, button("lessons." + one.number, one.number + ". " + one.title + (one.finished ? " ✓" : ""), one.do,
      { class: "choice" }))))];

  const welcome = () => [h("h3", null, t("door.title")), h("p", null, t("door.text")), h("div", { class: "row" },
    button("welcome.film", "▶ " + t("page.film"), ["lesson door off", "film play"], { class: "primary" }),
    button("welcome.try", t("door.try"), "lesson door off"))];

  // On a phone what one comes back to is always there, under the thumb.
  const ways = (at) => h("nav", { class: "row", "aria-label": t("page.go_to") },
    button("ways.film", "▶ " + t("page.film"), ["lesson door off", "room explore", "film play"]),
    button("ways.lessons", t("page.lessons"), ["lesson door off", "room library"]),
    choice("pages", t("page.go_to"), at.pages, (page) => run(page.do)));

  const look = () => h("details", { "data-open": "look" }, h("summary", null, t("page.look")), h("div", { class: "row" },
    button("look.language", t("page.language"), "language next"), button("look.theme", t("page.theme"), "theme next"),
    button("look.link", t("share.link"), "copy link")), isPhone ? h("p", { class: "soft" }, t("page.fingers")) : null);

  const toggle = () => button("text.toggle", t(document.documentElement.classList.contains("text") ? "page.text.hide" : "page.text"),
    () => { document.documentElement.classList.toggle("text"); update(true); });

  // --- from time to time ---------------------------------------------------------------------------------------

  // What is alike stays as it is: who reads or types there is not disturbed.
  function put(name, content, make, parent, isOfLesson = false) {
    const text = content === undefined || content === null ? "" : JSON.stringify([content, language, isPhone, table, headlight.awaits]);
    let section = sections[name];
    if (!section) {
      section = sections[name] = h("section", { "data-section": name });
      parent.append(section);
    }
    section.classList.toggle("of-lesson", isOfLesson);
    if (section.parentNode !== parent) parent.append(section);
    section.hidden = text === "";
    if (shown[name] === text) return;
    shown[name] = text;
    if (text === "") return section.replaceChildren();
    const focused = section.contains(document.activeElement) ? document.activeElement : null;
    const key = focused && focused.dataset.key, typed = key && "value" in focused && focused.type !== "range" ? focused.value : null;
    if (focused && focused.type === "range") { // it is being drawn: only what stands around it is new
      for (const child of [...section.children]) if (child !== focused) child.remove();
      let before = true;
      for (const child of [h("div", null, make(content))].flatMap((one) => [...one.childNodes])) {
        if (child.type === "range") before = false;
        else if (before) section.insertBefore(child, focused);
        else section.append(child);
      }
      return;
    }
    const open = [...section.querySelectorAll("details[open]")].map((one) => one.dataset.open);
    section.replaceChildren(...[make(content)].flat(9).filter((one) => one));
    for (const one of section.querySelectorAll("details")) one.open = open.includes(one.dataset.open);
    const again = key && section.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again) {
      if (typed !== null && document.activeElement !== again) again.value = typed;
      again.focus({ preventScroll: true });
    } else if (focused) lost = section; // what had the keyboard is gone
  }

  // What had the keyboard is gone: what is told now has it.
  function findFocus() {
    if (!lost) return;
    const told = [lost, sections.lesson, sections.held, sections.step, sections.about].find((one) => one && !one.hidden && one.querySelector("h2, h3"));
    const heading = told && (told.querySelector("h3") || told.querySelector("h2"));
    if (heading) heading.tabIndex = -1, heading.focus({ preventScroll: true });
    lost = null;
  }

  // --- what is heard -------------------------------------------------------------------------------------------

  const answersOf = (at) => !at ? [] : at.blocks.filter((block) => block.kind === "question" && block.told);
  function verdictOf(block) {
    if (block.verdict) return t("page." + block.how) + " " + block.verdict;
    const place = block.choices.findIndex((one) => one.right), chosen = block.choices.find((one) => one.chosen);
    const read = (all) => all.map((part) => part.text || "").join("");
    const right = place < 0 ? "" : place + 1 + ". " + read(block.choices[place].spans);
    return [t(!chosen ? "page.told" : chosen.right ? "page.right" : "page.wrong") + " " + right, chosen && chosen.reason ? read(chosen.reason) : ""].join(" ");
  }

  let sinceHeard = 0;
  function tellWhatChanged(before, now) {
    if (!before.page) return;
    if (now.notice && (!before.notice || before.notice.text !== now.notice.text)) announce(now.notice.text);
    if (now.lesson && before.lesson && now.lesson.card === before.lesson.card && now.lesson.name === before.lesson.name) {
      const told = answersOf(now.lesson);
      if (told.length > answersOf(before.lesson).length) announce(verdictOf(told[told.length - 1]), now.lesson.found ? t("teach.found") : "");
      else if (now.lesson.found && !before.lesson.found) announce(t("teach.found"));
      return;
    }
    if (now.training) { // now and then, and when it ends
      const isOver = before.training && before.training.runs && !now.training.runs;
      if (now.training.exact !== undefined && (isOver || (now.training.runs && performance.now() - sinceHeard > 10000))) {
        sinceHeard = performance.now();
        announce(t("page.training.now", now.training.step, now.training.loss.toFixed(2), (100 * now.training.exact).toFixed(0)));
      }
      return;
    }
    if (now.page !== before.page) return announce(now.page, now.about);
    if (now.film && now.film.on) {
      if (!before.film || now.film.scene !== before.film.scene || now.film.text !== before.film.text)
        announce(t("page.film.at", now.film.scene, now.film.scenes), now.film.title, now.film.playing ? "" : now.film.text);
      return;
    }
    const sentence = now.sentence, was = before.sentence;
    if (sentence && was && sentence.typed !== was.typed) {
      const unknown = sentence.words.filter((word) => word.unknown).map((word) => word.text);
      return announce(t("window.output.label") + ": " + sentence.answer, unknown.length === 1 ? t("window.unknown.one", unknown[0])
        : unknown.length ? t("window.unknown.many", unknown.join(", ")) : "");
    }
    if (now.held && (!before.held || now.held.title !== before.held.title || now.held.cell !== before.held.cell))
      return announce(now.held.title, now.held.cell + (now.held.value ? " = " + now.held.value : ""));
    if (now.step && before.step && now.step.path !== before.step.path && !now.lesson)
      announce(now.step.title, now.step.place, t("window.step.counter", now.step.number, now.step.steps));
  }

  // How much of the window is the canvas, before the program is there.
  function measure() {
    isPhone = innerWidth < 700 || (innerHeight < 480 && matchMedia("(pointer: coarse)").matches);
    document.documentElement.classList.toggle("phone", isPhone);
    element("side").hidden = false;
    element("top").hidden = !isPhone;
  }

  function arrange() {
    measure();
    const root = document.documentElement;
    root.classList.toggle("lesson", !!state.lesson);
    const wanted = isPhone || (root.classList.contains("embed") && !state.lesson) ? 2 : 1;
    if (wanted !== outside) module._headlight_set_outside(outside = wanted);
  }

  function update(now = false) {
    if (!module) return;
    const text = ask("headlight_text");
    if (!now && text === shown.all) return;
    shown.all = text;
    if (headlight.fetchWanted) headlight.fetchWanted(); // before anybody reads that it is not there
    const before = state;
    state = JSON.parse(text);
    if (state.language !== language) {
      language = state.language;
      for (const key of Object.keys(words)) delete words[key];
      document.documentElement.lang = language;
      element("side").setAttribute("aria-label", t("page.side"));
      element("typing").setAttribute("aria-label", t("page.picture"));
      element("canvas").setAttribute("aria-label", t("page.side"));
    }
    document.documentElement.dataset.theme = state.theme;
    arrange();
    if (table && !state.lesson && !(state.step && state.step.path === table.path) && !(state.held && state.held.path === table.path))
      table = null;
    const side = element("side"), top = element("top");
    if (!element("grip")) side.append(h("button", { id: "grip", type: "button", onclick: () => {
      document.documentElement.classList.toggle("drawn");
      shown.grip = "";
      update(true);
    } }));
    const isDrawn = document.documentElement.classList.contains("drawn");
    element("grip").textContent = t(isDrawn ? "page.less" : "page.more");
    element("grip").setAttribute("aria-expanded", isDrawn);
    const isTraining = state.room === "train", hasNumber = !!state.held;
    put("toggle", isPhone ? null : [document.documentElement.className], toggle, side);
    put("ways", isPhone && !state.lesson && !(state.film && state.film.on) ? { pages: state.pages } : null, ways, side);
    put("welcome", isPhone && state.welcome ? true : null, welcome, side);
    put("sentence", state.sentence, sentence, isPhone ? top : side);
    // On a phone it stands over the picture for a moment; what it offers stays in the text.
    const passes = isPhone && state.notice && !state.notice.offer;
    if (isPhone && !headlight.awaits) element("status").hidden = !passes, element("status").textContent = passes ? state.notice.text : "";
    put("notice", passes ? null : state.notice, notice, side, isPhone);
    put("lesson", state.lesson, lesson, side, true);
    put("held", state.held, held, side, true);
    put("about", isPhone || !(state.values.length || state.points || !state.step) ? null
      : { page: state.page, about: state.about, values: state.values, points: state.points }, about, side);
    put("film", state.film && (!isPhone || (state.film.on && !hasNumber)) ? state.film : null, film, side);
    put("training", isTraining ? state.training || {} : null, (at) => training(at.name ? at : null), side);
    put("step", state.step && !(state.film && state.film.on) && !isTraining && !(isPhone && (hasNumber || state.lesson)) ? state.step : null, step, side);
    put("places", { pages: state.pages, models: state.models, sentence: state.sentence && { examples: state.sentence.examples } }, places, side);
    put("lessons", state.lessons, lessons, side);
    put("look", [state.theme], look, side);
    findFocus();
    if (isPhone && before.page && (before.page !== state.page || !before.lesson !== !state.lesson)) side.scrollTop = 0;
    tellWhatChanged(before, state);
  }

  return {
    measure,
    begin(program) {
      module = program;
      addEventListener("resize", () => { arrange(); update(true); });
      // What lies on top is let go of; the keyboard stays where one reads.
      element("side").addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        if (state.held) run("unselect");
        else if (state.film && state.film.on) run("film off");
        else element("typing").focus({ preventScroll: true });
        event.stopPropagation();
      });
      update(true);
    },
    look(anew = false) { update(anew); },
    get isPhone() { return isPhone; },
  };
})();
