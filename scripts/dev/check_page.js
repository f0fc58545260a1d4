// What scripts/dev/check_page.sh does with a page: it stands in a frame beside it and writes
// "passed, SCHEME: what was looked at", or what is wrong.
"use strict";
(() => {
  const out = document.getElementById("result");
  const wrong = [];
  const want = (ok, what) => { if (!ok && wrong.length < 20) wrong.push(what); };
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
    want(!d.querySelector("script"), "a script");
    for (const s of d.querySelectorAll(".picture > svg")) want(s.getAttribute("role") === "img" && s.querySelector(":scope > title") && s.querySelector(":scope > desc"), "a figure without words");
    want(d.documentElement.lang, "no language");
  };

  // What a reader meets first, before anything is unfolded.
  const first = (w, d, screens) => {
    const screen = d.documentElement.clientWidth, folds = screen > 1000 ? 800 : 844;
    const answer = d.querySelector("main td.v, main td.n, main .picture, .run .outcome .v"); // a number, a picture, or the outcome of a run
    if (screen > 1000 && d.querySelector(".outcome")) want(answer && answer.getBoundingClientRect().top <= folds - 100, "the first number or picture is below the fold");
    if (screens) want(d.documentElement.scrollHeight <= screens * folds, `${(d.documentElement.scrollHeight / folds).toFixed(1)} screens, at most ${screens}`);
    for (const t of d.querySelectorAll("main > .table table")) {
      const name = t.querySelector("tbody th[scope=row]"), value = t.querySelector("tbody td");
      if (!name || !value) continue;
      want(w.getComputedStyle(name).position === "sticky", "names do not stay beside numbers: " + t.caption.textContent);
      want(value.getBoundingClientRect().right <= screen, "no number beside the first name: " + t.caption.textContent);
    }
    for (const e of d.querySelectorAll(".wide, .picture")) want(w.getComputedStyle(e).backgroundImage.includes("gradient"), "nothing shows that a table or a figure scrolls");
    for (const e of d.querySelectorAll("figcaption")) {
      const picture = e.parentElement.querySelector(".picture");
      want(Math.abs(e.getBoundingClientRect().width - picture.getBoundingClientRect().width) < 2, "a caption is not as wide as its figure");
    }
  };

  addEventListener("load", () => {
    try {
      const w = document.getElementById("page").contentWindow, d = w.document;
      first(w, d, Number(out.dataset.screens));
      for (const e of d.querySelectorAll("details")) e.open = true;
      labels(d);
      const [texts, least] = contrast(w, d);
      const wide = d.documentElement.scrollWidth, screen = d.documentElement.clientWidth;
      want(wide <= screen, `the page is ${wide} px wide on a screen of ${screen}: ` + [...d.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > screen && !e.closest(".wide, pre, .skip")).slice(0, 3).map(e => e.localName + "." + e.className));
      const scheme = w.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      out.textContent = wrong.length ? "wrong: " + wrong.join(" | ").replaceAll("\n", " ") :
        `passed, ${scheme}: ${d.querySelectorAll("table").length} tables, ${texts} texts, contrast ${least.toFixed(1)} or more`;
    } catch (e) {
      out.textContent = "error: " + e.stack.replaceAll("\n", " ");
    }
  });
})();
