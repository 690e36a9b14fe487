(() => {
  "use strict";
  const box = document.getElementById("find"), said = document.getElementById("found");
  const picked = document.getElementById("picked"), plot = document.getElementById("plot");
  const rows = [...document.querySelectorAll("#clusters [data-row]")];
  const points = [...plot.querySelectorAll("[data-row]")];
  const opened = new Set();
  const words = (one) => `${one.title || ""} ${one.textContent}`.toLowerCase();

  function look() {
    const wanted = box.value.trim().toLowerCase();
    let count = 0;
    for (const row of rows) {
      row.hidden = wanted !== "" && !words(row).includes(wanted);
      if (!row.hidden) {
        count += 1;
      }
    }
    for (const part of document.querySelectorAll("#clusters article, #clusters .others, #clusters .group")) {
      const listed = part.querySelectorAll("[data-row]");
      const none = wanted !== "" && ![...listed].some((row) => !row.hidden);
      part.hidden = none;
      if (part.tagName === "DETAILS") {
        if (wanted !== "" && !none && !part.open) {
          part.open = true;
          opened.add(part);
        } else if (wanted === "" && opened.delete(part)) {
          part.open = false;
        }
      }
    }
    plot.classList.toggle("finding", wanted !== "");
    for (const point of points) {
      point.classList.toggle("hit", wanted !== "" && words(point).includes(wanted));
    }
    said.textContent = wanted === "" ? "" : `${count} of ${rows.length} rows on this page`;
  }

  function pick(event) {
    const point = event.target.closest("[data-row]");
    if (!point) {
      return;
    }
    picked.textContent = point.textContent;
    const row = document.getElementById(`row-${point.dataset.row}`);
    if (row) {
      const link = document.createElement("a");
      link.href = `#${row.id}`;
      link.textContent = "show the row";
      picked.append(" ", link);
    }
  }

  function follow(event) {
    const link = event.target.closest("a[href^='#']");
    const target = link && document.getElementById(link.hash.slice(1));
    if (!target) {
      return;
    }
    if (target.hidden) {
      box.value = "";
      look();
    }
    for (let part = target.closest("details"); part; part = part.parentElement.closest("details")) {
      part.open = true;
    }
    // In the frame of a notebook an address is that of the notebook, and would be loaded here.
    if (location.protocol === "about:") {
      event.preventDefault();
      target.scrollIntoView();
    }
  }

  let waiting;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 120);
  });
  plot.addEventListener("click", pick);
  document.addEventListener("click", follow);
  document.getElementById("search").hidden = false;
  picked.hidden = false;
})();
