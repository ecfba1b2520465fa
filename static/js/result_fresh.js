// Refresh the tables of the result entry while others enter results. A table that is open, edited or being saved is
// left alone; saving it reports any conflict.
(function () {
  "use strict";
  const EVERY = 10; // seconds
  const list = document.querySelector("[data-score-cards]");
  const status = document.querySelector("[data-rows-status]");
  let etag = null;
  let freshAt = new Date();

  function isBusy(card) {
    const marks = card.dataset;
    return "dirty" in marks || "sending" in marks || "refused" in marks || "whole" in marks;
  }

  // A response may be older than a table saved since: accept only newer versions, or a re-paired table. The third
  // number is the player who advances from a tie, as chosen by the staff. A choice does not change the version of the
  // match. It can be changed, but not undone.
  function isNewer(card, shown) {
    const [match, version, advancing] = card.dataset.version.split("-").map(Number);
    const [shownMatch, shownVersion, shownAdvancing] = shown.dataset.version.split("-").map(Number);
    const isDecision = version === shownVersion && advancing > 0 && advancing !== shownAdvancing;
    return match !== shownMatch || version > shownVersion || isDecision;
  }

  // Two controls with the same signature do the same.
  function signature(control) {
    return [control.tagName, control.name, control.value, control.getAttribute("href"), control.getAttribute("formaction")].join(" ");
  }

  // Put a new card in place of the shown one. The focus moves to the same control, or to the first thing to do.
  function update(shown, card) {
    const focused = shown.contains(document.activeElement) ? document.activeElement : null;
    card.classList.toggle("is-current", shown.classList.contains("is-current"));
    shown.replaceWith(card);
    if (focused) {
      const controls = Array.from(card.querySelectorAll("a, button, input, select"));
      const same = controls.find((control) => !control.disabled && signature(control) === signature(focused));
      const next = same || card.querySelector("button[name='report'], a[href*='?edit=']") || window.resultCards.entrance(card);
      next.focus({ preventScroll: true });
    }
  }

  // Replace changed tables; return true if none had to be skipped.
  function replace(html) {
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    const changed = Array.from(fresh.content.children).filter(function (card) {
      const shown = document.getElementById(card.id);
      return shown && isNewer(card, shown);
    });
    const free = changed.filter((card) => !isBusy(document.getElementById(card.id)));
    free.forEach((card) => update(document.getElementById(card.id), card));
    document.dispatchEvent(new CustomEvent("datafort:fresh-cards"));
    return free.length === changed.length;
  }

  async function look() {
    if (document.hidden) {
      return;
    }
    const headers = { "X-Fragment": "1", ...(etag && { "If-None-Match": etag }) };
    const answer = await fetch(list.dataset.page, { headers, cache: "no-store", credentials: "same-origin" });
    if (answer.status === 200 && !answer.redirected) {
      etag = replace(await answer.text()) ? answer.headers.get("ETag") : null;
    } else if (answer.status !== 304) {
      throw new Error(`The site answered ${answer.status}.`);
    }
    freshAt = new Date();
    status.textContent = "";
  }

  function tellStale() {
    const time = freshAt.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    status.textContent = window.resultCards.text("outdated", { time });
  }

  function plan() {
    // Continue after an error: the next request may succeed.
    setTimeout(() => look().catch(tellStale).finally(plan), EVERY * 1000);
  }

  plan();
})();
