// Refresh the rows of the result entry while other staff enter results. Rows that are focused, edited or being saved
// are left alone; saving such a row reports any conflict.
(function () {
  "use strict";
  const EVERY = 10; // seconds
  const page = document.querySelector("[data-entry]");
  const entry = document.querySelector("[data-score-entry]");
  if (!page || !entry) {
    return;
  }
  const status = document.querySelector("[data-rows-status]");
  let etag = null;
  let freshAt = new Date();

  function isBusy(row) {
    const marks = row.dataset;
    return "dirty" in marks || "sending" in marks || "refused" in marks || row.contains(document.activeElement);
  }

  // A response may be older than a row saved since: accept only newer versions, or a re-paired table.
  function isNewer(row, shown) {
    const isAnother = row.dataset.match !== shown.dataset.match;
    return isAnother || Number(row.dataset.version) > Number(shown.dataset.version);
  }

  // Replace changed rows; return true if none had to be skipped.
  function replace(html) {
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    const changed = Array.from(fresh.content.querySelectorAll("[data-table]")).filter(function (row) {
      const shown = document.getElementById(row.id);
      return shown && isNewer(row, shown);
    });
    const free = changed.filter((row) => !isBusy(document.getElementById(row.id)));
    free.forEach(function (row) {
      document.getElementById(row.id).replaceWith(row);
      window.htmx.process(row);
    });
    document.dispatchEvent(new CustomEvent("datafort:rows"));
    return free.length === changed.length;
  }

  async function look() {
    if (document.hidden) {
      return;
    }
    const headers = { "X-Fragment": "1", ...(etag && { "If-None-Match": etag }) };
    const answer = await fetch(page.dataset.rows, { headers, cache: "no-store", credentials: "same-origin" });
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
    status.textContent = `Not updated since ${time}`;
  }

  function plan() {
    // Continue after an error: the next request may succeed.
    setTimeout(() => look().catch(tellStale).finally(plan), EVERY * 1000);
  }

  entry.addEventListener("input", function (event) {
    event.target.closest("[data-table]").dataset.dirty = "";
  });
  for (const [name, isSending] of [["htmx:beforeRequest", true], ["htmx:afterRequest", false]]) {
    entry.addEventListener(name, function (event) {
      event.target.closest("[data-table]")?.toggleAttribute("data-sending", isSending);
    });
  }
  plan();
})();
