// Long tables: held as data, shown a page at a time, sorted and filtered here. Texts reach the
// page as text alone, never as markup.
"use strict";
(() => {
  const grids = new Map(JSON.parse(document.getElementById("data").textContent || "[]").map(g => [g.id, g]));
  const pageSize = 50;

  const make = (tag, props, ...children) => {
    const e = Object.assign(document.createElement(tag), props || {});
    e.append(...children);
    return e;
  };

  const text = (c, row) => c.v ? c.d[c.v[row]] : c.d[row];

  // ranks gives every row of a column its place: numbers by value and before words, words in
  // alphabetical order, what is empty or missing last in both directions.
  const ranks = (c, rows) => {
    if (c.ranks) return c.ranks;
    const keys = c.d.map(s => {
      const x = c.r || /^[-+]?[\d.]/.test(s) ? parseFloat(s) : NaN;
      return {s, x, empty: s === "" || s === "-" || s === "missing"};
    });
    const order = keys.map((_, i) => i);
    const compare = new Intl.Collator("en", {numeric: true}).compare;
    const less = (a, b) => {
      const p = keys[a], q = keys[b];
      if (!isNaN(p.x) && !isNaN(q.x)) return p.x - q.x || compare(p.s, q.s);
      if (isNaN(p.x) !== isNaN(q.x)) return isNaN(p.x) ? 1 : -1;
      return compare(p.s, q.s);
    };
    order.sort(less);
    const place = new Int32Array(keys.length);
    let at = 0;
    order.forEach((k, i) => {
      if (i > 0 && less(order[i - 1], k) !== 0) at = i;
      place[k] = keys[k].empty ? -1 : at;
    });
    c.ranks = new Int32Array(rows);
    for (let i = 0; i < rows; i++) c.ranks[i] = place[c.v ? c.v[i] : i];
    return c.ranks;
  };

  const build = root => {
    const g = grids.get(root.dataset.grid);
    const details = "details" in root.dataset;
    const find = sel => root.querySelector(sel);
    const controls = find(".controls"), status = find(".status"), body = find("tbody"), pages = find(".pages");
    const heads = [...root.querySelectorAll("thead th")];
    const label = find("h3").textContent;
    let shown = Array.from({length: g.rows}, (_, i) => i);
    let page = 0, sorted = -1, down = false;
    const menus = new Map();

    // The words of every row, made at the first search.
    let words = null;
    const wordsOf = () => words ||= Array.from({length: g.rows}, (_, i) =>
      g.columns.map(c => text(c, i)).concat((g.details || []).filter(c => c.n === "reason").map(c => text(c, i))).join("\u0001").toLowerCase());

    const openRow = (button, row) => {
      const tr = button.closest("tr");
      if (button.getAttribute("aria-expanded") === "true") {
        tr.nextSibling.remove();
        button.setAttribute("aria-expanded", "false");
        return;
      }
      const list = make("dl");
      if (g.run) list.append(make("dt", {}, "run again"), make("dd", {}, g.run + text(g.columns[0], row)));
      for (const c of g.details || []) {
        const s = text(c, row);
        if (s !== "") list.append(make("dt", {}, c.n), make("dd", {}, s));
      }
      tr.after(make("tr", {className: "more"}, make("td", {colSpan: g.columns.length}, list)));
      button.setAttribute("aria-expanded", "true");
    };

    const show = () => {
      const last = Math.max(0, Math.ceil(shown.length / pageSize) - 1);
      page = Math.min(Math.max(page, 0), last);
      const rows = shown.slice(page * pageSize, (page + 1) * pageSize).map(row => {
        const tr = make("tr");
        g.columns.forEach((c, j) => {
          const s = text(c, row);
          if (j > 0) {
            tr.append(make("td", {className: c.n === "verdict" ? "v v-" + s : (s === "missing" ? "m " : "") + (c.r ? "n" : "")}, s));
            return;
          }
          const th = make("th", {scope: "row"});
          if (details) {
            const b = make("button", {type: "button", className: "open"}, s);
            b.setAttribute("aria-expanded", "false");
            b.setAttribute("aria-label", "details of cell " + s);
            b.addEventListener("click", () => openRow(b, row));
            th.append(b);
          } else {
            th.append(s);
          }
          tr.append(th);
        });
        return tr;
      });
      body.replaceChildren(...rows);
      const from = shown.length ? page * pageSize + 1 : 0;
      status.textContent = `${from} to ${page * pageSize + rows.length} of ${shown.length}` +
        (shown.length < g.rows ? ` that match, of ${g.rows} rows` : " rows");
      pages.hidden = last === 0;
      first.disabled = back.disabled = page === 0;
      next.disabled = end.disabled = page === last;
    };

    const filter = () => {
      const terms = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = [...menus].filter(([m]) => m.value !== "").map(([m, c]) => [c, c.d[Number(m.value)]]);
      const all = terms.length ? wordsOf() : null;
      shown = [];
      for (let i = 0; i < g.rows; i++) {
        if (chosen.every(([c, v]) => text(c, i) === v) && terms.every(t => all[i].includes(t))) shown.push(i);
      }
      order();
      page = 0;
      show();
    };

    const order = () => {
      if (sorted < 0) return;
      const r = ranks(g.columns[sorted], g.rows), sign = down ? -1 : 1;
      shown.sort((a, b) => (r[a] < 0) - (r[b] < 0) || sign * (r[a] - r[b]) || a - b);
    };

    heads.forEach((th, j) => {
      const b = make("button", {type: "button"}, th.textContent);
      b.addEventListener("click", () => {
        down = sorted === j ? !down : false;
        sorted = j;
        heads.forEach((h, i) => i === j ? h.setAttribute("aria-sort", down ? "descending" : "ascending") : h.removeAttribute("aria-sort"));
        order();
        page = 0;
        show();
      });
      th.replaceChildren(b);
    });

    const search = make("input", {type: "search", autocomplete: "off"});
    let wait = 0;
    search.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(filter, 150); });
    controls.append(make("label", {}, "Search all columns", search));
    const box = make("div");
    for (const c of g.columns.filter(c => c.f)) {
      const m = make("select", {}, make("option", {value: ""}, "all"));
      const values = [...new Set(c.d)].map(s => [s, c.d.indexOf(s)]);
      const rank = new Map();
      const r = ranks(c, g.rows);
      for (let i = 0; i < g.rows; i++) rank.set(text(c, i), r[i]);
      values.sort((a, b) => rank.get(a[0]) - rank.get(b[0]));
      for (const [s, i] of values) m.append(make("option", {value: String(i)}, s === "" ? "(none)" : s));
      m.addEventListener("change", filter);
      menus.set(m, c);
      box.append(make("label", {}, c.n, m));
    }
    if (menus.size) {
      const fold = make("details", {className: "menus", open: menus.size < 4 || matchMedia("(min-width: 60rem)").matches}, make("summary", {}, "Filter by column"), box);
      const clear = make("button", {type: "button"}, "Clear");
      clear.addEventListener("click", () => {
        search.value = "";
        for (const m of menus.keys()) m.value = "";
        filter();
      });
      controls.append(clear, fold);
    }
    controls.hidden = false;

    const turn = (name, to) => {
      const b = make("button", {type: "button"}, name);
      b.setAttribute("aria-label", `${name} page of ${label}`);
      b.addEventListener("click", () => { page = to(); show(); });
      pages.append(b);
      return b;
    };
    const first = turn("First", () => 0), back = turn("Previous", () => page - 1);
    const next = turn("Next", () => page + 1), end = turn("Last", () => Infinity);
    show();
  };

  document.querySelectorAll("[data-grid]").forEach(build);
})();
