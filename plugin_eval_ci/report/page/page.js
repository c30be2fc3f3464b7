"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js"); // from here on the style leaves out the groups of class z, which come in as they are asked for
  const STEP = 100;
  const collator = new Intl.Collator("en", { numeric: true });

  function start() {
    const table = document.getElementById("targets");
    if (!table) return;
    const heads = [...table.tHead.rows[0].cells];
    const box = document.getElementById("q");
    const kind = document.getElementById("kind");
    const said = document.getElementById("said");
    const more = document.createElement("button");
    const groups = [...table.tBodies]; // one a target; only those that are shown stay in the document
    const byId = new Map(groups.map((group) => [group.id, group]));
    const texts = new Map(); // what is searched, made when first asked for
    let found = groups;
    let limit = STEP;

    const textOf = (group) => {
      if (!texts.has(group)) texts.set(group, group.textContent.toLowerCase());
      return texts.get(group);
    };
    const number = (count) => count.toLocaleString("en");

    function place(shown) {
      if (table.tBodies.length) {
        const all = document.createRange();
        all.setStartBefore(table.tBodies[0]);
        all.setEndAfter(table.tBodies[table.tBodies.length - 1]);
        all.extractContents();
      }
      for (const group of shown) group.classList.remove("z");
      table.append(...shown);
    }

    function show() {
      const shown = found.slice(0, limit);
      place(shown);
      said.textContent = (shown.length < found.length ? `${number(shown.length)} of ` : "") + `${number(found.length)} shown`;
      more.hidden = shown.length === found.length;
      more.textContent = `Show ${number(Math.min(found.length - limit, 4 * limit))} more`;
    }

    function filter() {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      found = groups.filter((group) => (!kind.value || group.dataset.k === kind.value) &&
        (!words.length || words.every((word) => textOf(group).includes(word))));
      limit = STEP;
      show();
    }

    function valueOf(group, column) {
      const cell = group.rows[0].cells[column];
      const text = (cell.querySelector("b") || cell).textContent;
      if (!("n" in heads[column].dataset)) return text;
      const value = parseFloat(text.replace(/[,<]/g, "").replace("−", "-").replace("±", ""));
      return Number.isNaN(value) ? null : value;
    }

    function sort(column) {
      const head = heads[column], now = head.getAttribute("aria-sort");
      const up = now ? now !== "ascending" : !("d" in head.dataset); // of some the most is what is looked for first
      const keys = new Map(groups.map((group) => [group, valueOf(group, column)]));
      const compare = (one, other) => (typeof one === "number" ? one - other : collator.compare(one, other));
      groups.sort((first, second) => {
        const one = keys.get(first), other = keys.get(second);
        if (one === null || other === null) return (one === null) - (other === null); // what has no value stays last
        return up ? compare(one, other) : compare(other, one);
      });
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      filter();
    }

    function reveal() {
      const group = byId.get(location.hash.slice(1));
      if (!group) return;
      if (!group.isConnected) { // it comes first, before what is shown
        group.classList.remove("z");
        table.tHead.after(group);
      }
      for (const other of table.querySelectorAll(".here")) other.classList.remove("here");
      group.classList.add("here");
      group.querySelector("details").open = true;
      group.scrollIntoView({ block: "nearest" });
      group.querySelector("summary").focus({ preventScroll: true });
    }

    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(column));
      head.append(button);
    });
    more.type = "button";
    more.className = "more";
    more.addEventListener("click", () => {
      const next = found[limit];
      limit *= 5;
      show();
      next.querySelector("summary").focus();
    });
    table.parentNode.after(more);

    let timer = 0;
    box.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(filter, 120);
    });
    kind.addEventListener("change", filter);
    box.form.addEventListener("submit", (event) => event.preventDefault());
    document.addEventListener("click", (event) => { // a second click on the same link changes no address
      const link = event.target.closest("a[href^='#t']");
      if (link && link.hash === location.hash) reveal();
    });
    addEventListener("hashchange", reveal);
    show();
    reveal();
    addEventListener("load", () => setTimeout(reveal)); // after the browser's own jump, which takes the focus away
  }

  addEventListener("DOMContentLoaded", start);
})();
