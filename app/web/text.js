// What the window shows, as elements of the page (app/ui/window/window_text.h says what there is): to be read aloud, found,
// copied, translated and typed into. Everything done here is a command of the window.
"use strict";

const headlightText = (function () {
  const element = (id) => document.getElementById(id);
  let module, state = {}, language = "", isPhone = false, outside = -1, table = null;
  const words = {}, shown = {}, sections = {};

  const ask = (name, types = [], values = []) => module.ccall(name, "string", types, values);
  const run = (lines) => { for (const line of [].concat(lines)) headlight.do(line); update(true); };

  function t(key, ...values) {
    if (!(key in words)) words[key] = ask("headlight_string", ["string"], [key]);
    return words[key].replace(/\{(\d)\}/g, (all, place) => values[place] ?? all);
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
    const made = h(displayed ? "div" : "span", { class: displayed ? "scrolls" : null });
    made.innerHTML = markup;
    return made;
  }
  const button = (key, label, does, more = {}) =>
    h("button", { type: "button", "data-key": key, onclick: typeof does === "function" ? does : () => run(does), ...more }, label);
  const choice = (key, label, options, does) => h("select", { "data-key": key, "aria-label": label,
    onchange: (event) => { const chosen = options[event.target.selectedIndex]; if (chosen.do) does(chosen); } },
    options.map((one) => h("option", { selected: one.here }, one.title)));

  // --- matrices ------------------------------------------------------------------------------------------------

  function tableOf(path, head) {
    const matrix = JSON.parse(ask("headlight_matrix", ["string", "number"], [path, head]));
    if (!matrix.cells) return null;
    const title = matrix.heads > 1 ? matrix.title : matrix.title;
    return [
      matrix.heads > 1 ? h("div", { class: "row" }, [...Array(matrix.heads).keys()].map((i) =>
        button("table.head." + i, t("story.head_number", i + 1), () => { table = { path, head: i }; update(true); },
          { "aria-pressed": i === head ? "true" : "false" }))) : null,
      h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": title },
        h("table", null, h("caption", null, title, matrix.cut ? " · " + t("page.table.cut") : ""),
          h("thead", null, h("tr", null, h("td"), matrix.columns.map((one) => h("th", { scope: "col" }, one)))),
          h("tbody", null, matrix.cells.map((row, i) => h("tr", null, h("th", { scope: "row" }, matrix.rows[i]), row.map((cell) =>
            h("td", { class: "number" }, cell === "" ? "?" : cell))))))),
    ];
  }

  const tableToggle = (key, path, head = 0) => {
    const isOpen = table && table.path === path;
    return [button(key, t("page.table"), () => { table = isOpen ? null : { path, head }; update(true); },
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
        if (typed && isFinite(Number(typed))) run("lesson answer " + Number(typed));
      } }, h("label", { for: key + ".number" }, t("teach.guess")),
      h("input", { type: "text", inputmode: "decimal", id: key + ".number", "data-key": key + ".number", autocomplete: "off" }),
      h("button", { class: "primary", "data-key": key + ".check" }, t("teach.check"))));
    if (block.asks === "cell" && block.open)
      parts.push(h("p", { class: "soft" }, t("page.lesson.point")), h("div", { class: "row" }, (block.words || []).map((word, i) =>
        button(key + ".point." + i, word, "lesson point " + i))));
    if (block.open) parts.push(h("div", { class: "row" }, button(key + ".reveal", t("teach.reveal"), "lesson reveal")));
    if (block.verdict)
      parts.push(h("p", { class: "verdict " + block.how, role: "status" }, t("page." + block.how) + " " + block.verdict),
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
    return [
      h("div", { class: "row" }, h("h2", { style: "flex: 1" }, at.title),
        button("lesson.close", "×", "lesson close", { "aria-label": t("page.lesson.close") })),
      h("ol", { class: "cards" }, at.done.map((done, i) => h("li", null, button("lesson.card." + i, String(i + 1),
        "lesson card " + (i + 1), { class: done ? "done" : null, "aria-label": t("page.lesson.card", i + 1, at.cards) + (done ? " ✓" : ""),
          "aria-current": i + 1 === at.card ? "step" : null })))),
      h("h3", { tabindex: -1 }, at.heading),
      at.trouble ? h("p", { role: "alert", class: "unknown" }, at.trouble) : null,
      // Before its model is there nobody can say what is right.
      blocks(headlight.awaits ? at.blocks.filter((block) => block.kind !== "question") : at.blocks, "lesson"),
      table ? h("div", null, tableOf(table.path, table.head)) : null,
      "found" in at ? h("p", { class: "soft" }, (at.found ? "✓ " : "○ ") + t(at.found ? "teach.found" : "teach.find")) : null,
      at.score ? h("p", null, at.score) : null,
      at.next ? h("p", null, button("lesson.next_lesson", t("teach.next_lesson", at.next.title), at.next.do)) : null,
      h("div", { class: "row" },
        button("lesson.back", "←", turn(-1), { disabled: at.card === 1, "aria-label": t("teach.back.tip") }),
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
        h("input", { type: "text", id: "sentence", "data-key": "sentence", name: "sentence", value: at.typed, enterkeyhint: "go",
          autocomplete: "off", autocapitalize: "off", spellcheck: "false" }),
        h("button", { "data-key": "sentence.go" }, t("page.send"))),
      h("div", { class: "row" }, h("label", { for: "answer" }, t("window.output.label")),
        h("output", { id: "answer", for: "sentence", class: at.guess ? "guess" : null }, at.answer || t("window.output.empty"))),
      unknown.length ? h("p", { class: "unknown" }, unknown.length === 1 ? t("window.unknown.one", unknown[0])
        : t("window.unknown.many", "“" + unknown.join("”, “") + "”")) : null,
    ];
  }

  const places = (at) => h("div", { class: "row" },
    choice("pages", t("page.go_to"), at.pages, (page) => run(page.do)),
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
      at.on ? h("div", { "aria-live": at.playing ? "off" : "polite" }, h("h3", null, at.title), h("p", null, at.text),
        at.formula ? math(at.formula, true) : null) : null,
    ];
  }

  const step = (at) => [
    h("h2", null, at.place), h("h3", { tabindex: -1 }, at.title), h("p", null, at.text), at.formula ? math(at.formula, true) : null,
    h("div", { class: "row" },
      button("step.back", "←", "step -1", { "aria-label": t("window.step.back") }),
      button("step.forward", "→", "step +1", { "aria-label": t("window.step.forward") }),
      button("step.whole", t("page.whole"), "fit"), tableToggle("step.table", at.path)),
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
    return made;
  }

  function training(at) {
    const percent = (share) => (100 * share).toFixed(share < 1 && share > 0.995 ? 2 : 0);
    return [
      h("h2", null, t("page.training")),
      at ? h("p", { role: "status" }, at.name + ": " + t("page.training.now", at.step, at.loss === undefined ? "–" : at.loss.toFixed(3),
        at.exact === undefined ? "–" : percent(at.exact))) : h("p", { class: "soft" }, t("page.training.none")),
      at && at.trouble ? h("p", { role: "alert" }, at.trouble) : null,
      h("div", { class: "row" }, button("train.start", t(at && at.runs ? "page.training.pause" : "page.training.start"),
        at && at.runs ? "train pause" : "train start", { class: "primary" })),
      at && at.curve.length ? [curve(at.curve), h("details", { "data-open": "curve" }, h("summary", null, t("page.table")), h("table", null,
        h("thead", null, h("tr", null, ["page.training.step", "page.training.loss", "page.training.exact"].map((key) =>
          h("th", { scope: "col" }, t(key))))),
        h("tbody", null, at.curve.map(([n, loss, exact]) => h("tr", null, h("td", null, String(n)), h("td", null, loss.toFixed(3)),
          h("td", null, percent(exact) + " %"))))))] : null,
    ];
  }

  const notice = (at) => h("p", { class: "notice" + (at.error ? " error" : ""), role: at.error ? "alert" : "status" }, at.text, " ",
    at.offer ? button("notice.offer", at.offer, at.do) : null);

  const lessons = (all) => [h("h2", null, t("page.lessons")), h("ol", { style: "list-style: none; padding: 0" }, all.map((one) =>
    h("li", null, button("lessons." + one.number, one.number + ". " + one.title + (one.finished ? " ✓" : ""), one.do,
      { class: "choice" }))))];

  const welcome = (all) => [h("h3", null, t("door.title")), h("p", null, t("door.text")), h("div", { class: "row" },
    button("welcome.show", t("door.show"), all[0].do, { class: "primary" }), button("welcome.try", t("door.try"), "lesson door off")),
  lessons(all)];

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
      section = sections[name] = h("section", { class: isOfLesson ? "of-lesson" : null, "data-section": name });
      parent.append(section);
    }
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
    } else if (focused) { // what had the keyboard is gone: its section has it
      const heading = section.querySelector("h3");
      if (heading) heading.tabIndex = -1, heading.focus({ preventScroll: true });
    }
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
    state = JSON.parse(text);
    if (state.language !== language) {
      language = state.language;
      for (const key of Object.keys(words)) delete words[key];
      document.documentElement.lang = language;
      element("side").setAttribute("aria-label", t("page.side"));
      element("typing").setAttribute("aria-label", t("window.source.label"));
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
    if (isPhone && state.welcome) put("welcome", state.lessons, welcome, side);
    else put("welcome", null, null, side);
    put("sentence", state.sentence, sentence, isPhone ? top : side);
    put("notice", state.notice, notice, side, true);
    put("lesson", state.lesson, lesson, side, true);
    put("held", state.held, held, side, true);
    put("film", state.film && !(hasNumber && isPhone) ? state.film : null, film, side);
    put("training", isTraining ? state.training || {} : null, (at) => training(at.name ? at : null), side);
    put("step", state.step && !(state.film && state.film.on) && !isTraining && !(isPhone && (hasNumber || state.lesson)) ? state.step : null, step, side);
    put("places", { pages: state.pages, models: state.models, sentence: state.sentence && { examples: state.sentence.examples } }, places, side);
    put("lessons", isPhone && state.welcome ? null : state.lessons, lessons, side);
    put("look", [state.theme], look, side);
  }

  return {
    measure,
    begin(program) {
      module = program;
      addEventListener("resize", () => { arrange(); update(true); });
      update(true);
    },
    look(anew = false) { update(anew); },
    get isPhone() { return isPhone; },
  };
})();
