// What scripts/check_page.sh does with a page: it stands in a frame beside it and writes
// "passed, SCHEME: what was looked at", or what is wrong.
"use strict";
(() => {
  const out = document.getElementById("result");
  const wrong = [];
  const want = (ok, what) => { if (!ok && wrong.length < 20) wrong.push(what); };
  const sleep = ms => new Promise(done => setTimeout(done, ms));
  addEventListener("error", e => wrong.push("error: " + e.message));

  const channels = s => (s.match(/[\d.]+/g) || []).map(Number);
  const luminance = c => {
    const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (w, e) => {
    for (; e; e = e.parentElement) {
      const c = channels(w.getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };

  const contrast = (w, d) => {
    let least = 21, n = 0;
    for (const e of d.querySelectorAll("body *:not(script):not(style):not(svg):not(svg *)")) {
      if (![...e.childNodes].some(c => c.nodeType === 3 && c.data.trim()) || !e.getClientRects().length || e.disabled) continue;
      const a = luminance(channels(w.getComputedStyle(e).color)), b = luminance(ground(w, e));
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      least = Math.min(least, ratio);
      n++;
      want(ratio >= 4.5, `contrast ${ratio.toFixed(2)} of <${e.localName} class="${e.className}">: ${e.textContent.slice(0, 40)}`);
    }
    return [n, least];
  };

  const labels = d => {
    const ids = [...d.querySelectorAll("[id]")].map(e => e.id);
    want(new Set(ids).size === ids.length, "an id comes twice: " + ids.filter((s, i) => ids.indexOf(s) !== i).join(" "));
    for (const a of d.querySelectorAll('a[href^="#"]')) want(d.getElementById(a.getAttribute("href").slice(1)), "no place " + a.getAttribute("href"));
    for (const t of d.querySelectorAll("table")) {
      want(t.caption || d.getElementById(t.getAttribute("aria-labelledby")), "a table has no name");
      for (const h of t.querySelectorAll("th")) want(h.scope, "a head without scope: " + h.textContent);
    }
    for (const e of d.querySelectorAll("input, select")) want(e.closest("label") || e.getAttribute("aria-label"), "an entry without label");
    for (const s of d.querySelectorAll(".picture > svg")) want(s.getAttribute("role") === "img" && s.getAttribute("aria-label"), "a figure without words");
    want(d.documentElement.lang, "no language");
  };

  const grids = async d => {
    const all = [...d.querySelectorAll("[data-grid]")];
    for (const root of all) {
      const name = root.querySelector("h3").textContent;
      const rows = () => [...root.querySelectorAll("tbody > tr:not(.more)")];
      const head = () => [...root.querySelectorAll("thead th")];
      if (root.querySelector(".controls").hidden) {
        want(false, name + " was not built");
        continue;
      }
      want(rows().length > 0, name + " has no rows");
      for (let j = 0; j < head().length; j++) {
        for (const way of ["ascending", "descending"]) {
          head()[j].querySelector("button").click();
          want(head()[j].getAttribute("aria-sort") === way, `${name}, column ${j}: not ${way}`);
          if (!head()[j].classList.contains("n")) continue;
          const values = rows().map(r => parseFloat(r.children[j].textContent)).filter(x => !isNaN(x));
          want(values.every((x, i) => i === 0 || (way === "ascending" ? values[i - 1] <= x : values[i - 1] >= x)), `${name}, column ${j}: not in order`);
        }
      }
      const entry = root.querySelector("input[type=search]"), status = root.querySelector(".status");
      const search = async s => {
        entry.value = s;
        entry.dispatchEvent(new Event("input"));
        await sleep(400);
      };
      await search("no such text anywhere");
      want(rows().length === 0 && status.textContent.includes("that match"), name + ": a search that finds nothing shows rows");
      await search("");
      want(rows().length > 0, name + ": an empty search shows nothing");
      const menu = root.querySelector("select");
      if (menu) {
        menu.selectedIndex = 1;
        menu.dispatchEvent(new Event("change"));
        const j = head().findIndex(h => h.textContent === menu.closest("label").firstChild.textContent);
        const value = menu.options[1].textContent;
        want(rows().length > 0 && rows().every(r => r.children[j].textContent === (value === "(none)" ? "" : value)), name + ": a menu does not filter");
        menu.selectedIndex = 0;
        menu.dispatchEvent(new Event("change"));
      }
      const open = root.querySelector("button.open");
      if (open) {
        open.click();
        want(open.getAttribute("aria-expanded") === "true" && root.querySelector("tr.more dd"), name + ": a cell does not open");
      }
    }
    return all.length;
  };

  addEventListener("load", async () => {
    try {
      const w = document.getElementById("page").contentWindow, d = w.document;
      for (const e of d.querySelectorAll("details")) e.open = true;
      const n = await grids(d);
      labels(d);
      const [texts, least] = contrast(w, d);
      const wide = d.documentElement.scrollWidth, screen = d.documentElement.clientWidth;
      want(wide <= screen, `the page is ${wide} px wide on a screen of ${screen}: ` + [...d.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > screen && !e.closest(".wide, pre, .skip")).slice(0, 3).map(e => e.localName + "." + e.className));
      const scheme = w.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      out.textContent = wrong.length ? "wrong: " + wrong.join(" | ").replaceAll("\n", " ") :
        `passed, ${scheme}: ${d.querySelectorAll("table").length} tables, ${n} of them sorted, searched and opened; ${texts} texts, contrast ${least.toFixed(1)} or more`;
    } catch (e) {
      out.textContent = "error: " + e.stack.replaceAll("\n", " ");
    }
  });
})();
