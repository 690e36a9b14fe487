"use strict";
// Everything that comes from files goes in by textContent: it can never become markup.
const $ = (id) => document.getElementById(id);
const VIEWS = ["ask", "group", "doubts", "help", "end"];
let state = null, busy = false, ended = false, wallOf = 0, wanted = 0;

function element(kind, attributes, ...children) {
  const made = document.createElement(kind);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "class") made.className = value;
    else if (name === "onclick") made.addEventListener("click", value);
    else made.setAttribute(name, value);
  }
  for (const child of children) made.append(child);
  return made;
}

function say(text) { $("message").textContent = text; }

async function call(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  for (let attempt = 0; ; attempt++) {
    let reply;
    try { reply = await fetch(path, options); }
    catch (problem) {  // a lost reply: the same answer to the same question again is one answer
      if (attempt < 3) { await new Promise((go) => setTimeout(go, 300 * (attempt + 1))); continue; }
      throw new Error("the server does not answer; is the command still running?");
    }
    const text = await reply.text();
    let found;
    try { found = JSON.parse(text); } catch (problem) { found = { problem: text || reply.statusText }; }
    if (reply.ok) return found;
    const problem = new Error(found.problem || reply.statusText);
    problem.status = reply.status;
    throw problem;
  }
}

function wide() { return state && state.kind !== "picture"; }

function content(thing, beside) {
  const parts = [];
  if (state.kind === "picture") parts.push(element("img", { src: `/picture/${thing.row}`, alt: thing.name, loading: "lazy" }));
  else if (state.kind === "text") parts.push(element("p", { class: "text", dir: "auto" }, thing.text));
  else {
    const other = beside ? new Map(beside.cells) : null;
    const rows = thing.cells.map(([name, value]) => element("tr", {},
      element("td", { dir: "auto" }, name),
      element("td", { dir: "auto", class: other && other.get(name) !== value ? "other" : "" }, value)));
    parts.push(element("table", {}, element("tbody", {}, ...rows)));
  }
  parts.push(element("p", { class: "name", dir: "auto" }, thing.name));
  return parts;
}

function card(thing, options = {}) {
  const kind = options.onclick ? "button" : "div";
  const attributes = { class: `thing ${options.class || ""}` };
  if (options.onclick) Object.assign(attributes, { type: "button", onclick: options.onclick, "aria-label": options.label || thing.name });
  const parts = content(thing, options.beside);
  if (options.key !== undefined) parts.unshift(element("p", { class: "badge" }, element("kbd", {}, String(options.key))));
  return element(kind, attributes, ...parts);
}

function show(view) {
  wanted++;  // a view that is still being fetched is no longer wanted
  for (const one of VIEWS) $(`view-${one}`).hidden = one !== view;
  for (const one of ["ask", "doubts", "help"]) $(`tab-${one}`).setAttribute("aria-pressed", String(one === view));
}
function current() { return VIEWS.find((one) => !$(`view-${one}`).hidden); }

function draw() {
  $("source").textContent = state.source;
  const p = state.progress;
  const ask = state.ask;
  $("beside").className = "beside" + (wide() ? " wide" : "");
  $("sample").className = "thing large" + (wide() ? " wide" : "");
  if (ask) {
    $("question").textContent = ask.why === "groups" ? "Is one of these groups the same kind as this one?" : "Which of these is the same kind?";
    $("sample").replaceChildren(...content(ask.sample));
    $("beside").replaceChildren(...ask.beside.map((thing, place) => card(thing, {
      key: place + 1, beside: ask.sample, label: `${place + 1}: the same kind as ${thing.name}`, onclick: () => answer(place) })));
  } else {
    $("question").textContent = "Nothing is left to ask. Finish when you like.";
    $("sample").replaceChildren(); $("beside").replaceChildren();
  }
  $("sample").hidden = !ask;
  $("none").disabled = $("unsure").disabled = !ask;
  $("undo").disabled = state.last === null;
  const numbers = [["answers", p.answers], ["unsure", p.unsure], ["groups found", p.groups], ["kinds expected", p.clusters], ["things placed", p.placed], ["pairs that follow", p.settled]];
  $("numbers").replaceChildren(...numbers.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value.toLocaleString("en"))]));
  $("stop").textContent = p.changed === null ? "" : p.sentence.split("; ").slice(1).join("; ");
  $("fit").textContent = state.fit;
  drawWall();
}

async function drawWall() {
  const version = ++wallOf;
  let found;
  try { found = await call("/wall"); } catch (problem) { return; }
  if (version !== wallOf) return;
  $("wall").replaceChildren(...found.clusters.map((one) => element("div", { class: `cluster k${one.number % 12}` },
    element("h3", {}, title(one), " ", element("small", {}, `${one.size} things, ${one.known} known `),
      element("button", { type: "button", onclick: () => openGroup(one.number) }, "Look inside")),
    element("div", { class: "strip" + (wide() ? " wide" : "") }, ...one.rows.slice(0, wide() ? 4 : 12).map((thing) => card(thing))))));
}
function title(one) { return one.name || `Group ${one.number}`; }

async function act(verb, body) {
  if (busy || ended) return false;
  busy = true;
  try {
    state = await call(`/say/${verb}`, body);
    say("");
    draw();
    return true;
  } catch (problem) {
    if (problem.status === 409) { await load(); say(`${problem.message} This page was brought up to date.`); }
    else say(problem.message);
    return false;
  } finally { busy = false; }
}
function answer(place) { if (state.ask) act("answer", place === null ? { ask: state.ask.id, none: true } : { ask: state.ask.id, same: place }); }
function unsure() { if (state.ask) act("unsure", { ask: state.ask.id }); }
function undo() { if (state.last !== null) act("undo", { seq: state.last }); }

async function openGroup(number) {
  const mine = ++wanted;
  let one, others;
  try {
    one = await call(`/group/${number}`);
    others = (await call("/wall")).clusters.filter((other) => other.number !== number);
  } catch (problem) { say(problem.message); return; }
  if (mine !== wanted) return;
  const known = new Set(one.known);
  $("group-title").textContent = `${title(one)}: ${one.size} things, ${one.known.length} known`;
  const name = element("input", { id: "group-name", "aria-label": "Name of this group", placeholder: "Name of this group", maxlength: "80" });
  name.value = one.name;
  const merge = element("select", { "aria-label": "Another group that is the same kind" }, element("option", { value: "" }, "Same kind as …"), ...others.map((other) => element("option", { value: String(other.number) }, title(other))));
  $("group-actions").replaceChildren(
    element("button", { type: "button", onclick: () => show("ask") }, "Back"), name,
    element("button", { type: "button", onclick: async () => { if (await act("name", { group: number, name: name.value })) openGroup(number); } }, "Name it"),
    element("button", { type: "button", onclick: async () => { if (await act("pure", { rows: one.rows.map((thing) => thing.row) })) openGroup(number); } }, `All ${one.rows.length} shown are one kind`),
    merge, element("button", { type: "button", onclick: async () => { if (merge.value !== "" && await act("merge", { group: number, other: Number(merge.value) })) show("ask"); } }, "Merge"));
  $("group-rows").className = "grid" + (wide() ? " wide" : "");
  $("group-rows").replaceChildren(...one.rows.map((thing) => card(thing, {
    class: known.has(thing.row) ? "known" : "", label: `${thing.name} does not belong here`,
    onclick: async () => { if (await act("stray", { row: thing.row, group: number })) openGroup(number); } })));
  show("group");
  $("group-title").focus();
}

async function openDoubts() {
  const mine = ++wanted;
  let found;
  try { found = (await call("/doubts")).doubts; } catch (problem) { say(problem.message); return; }
  if (mine !== wanted) return;
  const refresh = (done) => { if (done) openDoubts(); };
  $("doubts").replaceChildren(...found.map((one) => {
    const said = one.said.startsWith("same=") ? Number(one.said.slice(5)) : null;
    const cards = one.beside.map((thing, place) => card(thing, {
      key: place + 1, class: place === said ? "said" : "", label: `change: the same kind as ${thing.name}`,
      onclick: async () => { if (place !== said) refresh(await act("change", { seq: one.seq, same: place })); } }));
    return element("div", { class: "doubt" },
      element("p", {}, `You said: ${said === null ? "none of these" : `the same kind as ${said + 1}`}. Surprise ${Math.round(100 * one.surprise)} %.`),
      element("div", { class: "pairs" }, card(one.sample, { class: "large" }), ...cards),
      element("div", { class: "actions" },
        element("button", { type: "button", onclick: async () => refresh(await act("confirm", { seq: one.seq })) }, "Keep"),
        element("button", { type: "button", onclick: async () => refresh(await act("change", { seq: one.seq, none: true })) }, "Change to none"),
        element("button", { type: "button", onclick: async () => refresh(await act("change", { seq: one.seq, unsure: true })) }, "Unsure")));
  }));
  if (!found.length) $("doubts").textContent = "There is nothing to look at again yet.";
  show("doubts");
}

async function finish() {
  if (busy || ended) return;
  busy = true;
  $("finish").disabled = true;
  say("Sorting everything and writing the results …");
  try {
    const found = await call("/say/finish", {});
    ended = true;
    say("");
    $("end-title").textContent = `Written to ${found.folder}`;
    $("end-why").textContent = `${found.why}.`;
    const files = found.files.concat(found.sorted_into ? [`sorted copies: ${found.sorted_into}`] : [], found.notes);
    $("end-files").replaceChildren(...files.map((name) => element("li", {}, name)));
    show("end");
  } catch (problem) { say(problem.message); $("finish").disabled = false; }
  finally { busy = false; }
}

async function load() {
  state = await call("/state");
  draw();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || ended || !state) return;
  if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) && event.key !== "Escape") return;
  if (event.repeat) return;
  const key = event.key.toLowerCase();
  if (key === "escape") show("ask");
  else if (key === "?") show(current() === "help" ? "ask" : "help");
  else if (key === "d") { if (current() === "doubts") show("ask"); else openDoubts(); }
  else if (key === "f") finish();
  else if (current() !== "ask") return;
  else if (key >= "1" && key <= "6") { if (state.ask && Number(key) <= state.ask.beside.length) answer(Number(key) - 1); }
  else if (key === "0") answer(null);
  else if (key === "u") unsure();
  else if (key === "z") undo();
  else return;
  event.preventDefault();
});
$("none").addEventListener("click", () => answer(null));
$("unsure").addEventListener("click", unsure);
$("undo").addEventListener("click", undo);
$("finish").addEventListener("click", finish);
$("tab-ask").addEventListener("click", () => show("ask"));
$("tab-doubts").addEventListener("click", openDoubts);
$("tab-help").addEventListener("click", () => show("help"));
window.addEventListener("pageshow", (event) => { if (event.persisted) load().catch((problem) => say(problem.message)); });
load().catch((problem) => say(problem.message));
