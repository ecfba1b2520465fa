// Roster: search and filter without a request, tap buttons of a row, and add one name after the other. Answers of the
// site swap rows, counts and messages by their ids. Without this script the same forms and links load pages.
(function () {
  "use strict";
  const search = document.querySelector("[data-roster-search]");
  const status = document.querySelector("[data-roster-status]");
  const list = document.querySelector("[data-roster-list]");
  const nobody = document.querySelector("[data-roster-empty]");
  const rows = document.getElementById("roster-rows");
  const add = document.querySelector("[data-roster-add-form]");
  const sheet = document.getElementById("sheet");
  const keys = new WeakMap();
  // A letter of data-is, or "" for all rows.
  let filter = (new URLSearchParams(location.search).get("state") || "").charAt(0);

  // --- Search and filters

  function key(row) {
    if (!keys.has(row)) {
      keys.set(row, { number: row.id.split("-")[1], name: window.sortKey(row.querySelector("th bdi").textContent) });
    }
    return keys.get(row);
  }

  // `kept`: rows by id that stay hidden or shown as they were.
  function narrow(kept = new Map()) {
    const typed = window.sortKey(search.value);
    const words = typed.split(/\s+/);
    let shown = 0;
    for (const row of rows.rows) {
      const { number, name } = key(row);
      const isFound = !typed || number === typed || words.every((word) => name.includes(word));
      row.hidden = kept.get(row.id) ?? !(isFound && row.dataset.is.includes(filter));
      shown += row.hidden ? 0 : 1;
    }
    showEmpty(shown);
    status.textContent = typed || filter ? status.dataset.shown.replace("{count}", shown) : "";
  }

  function showEmpty(shown) {
    list.hidden = rows.rows.length === 0;
    nobody.hidden = shown > 0;
  }

  // The chips are swapped with their counts.
  function markFilter() {
    document.querySelectorAll("[data-filter]").forEach(function (chip) {
      if (chip.dataset.filter === filter) {
        chip.setAttribute("aria-current", "true");
      } else {
        chip.removeAttribute("aria-current");
      }
    });
  }

  search.addEventListener("input", () => narrow());
  search.form.addEventListener("submit", function (event) {
    event.preventDefault();
    narrow();
    // Enter goes to the first player found, so that a second Enter checks this player in.
    rows.querySelector("tr:not([hidden]) :is([id^=c], [data-sheet])")?.focus();
  });
  document.addEventListener("click", function (event) {
    const chip = event.target.closest("[data-filter]");
    if (chip && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      filter = chip.dataset.filter;
      markFilter();
      narrow();
    }
  });

  // --- Changes are sent one after the other: an earlier answer must not overwrite the counts of a later one.

  const queue = window.saveQueue();
  let isLost = false;
  let saving = 0;
  let savedAt = -Infinity;

  // Not from the button, which may be swapped before its turn comes, nor from its form: htmx sends a form to the
  // address of the button that was clicked last.
  function post(path, values) {
    saving += 1;
    return queue(async function () {
      isLost = false;
      try {
        await window.htmx.ajax("POST", path, { source: rows, swap: "none", values });
      } catch {
        isLost = true; // Without a signal; the message is shown by the event.
      }
      saving -= 1;
      savedAt = performance.now();
      look();
    });
  }

  document.addEventListener("submit", async function (event) {
    const button = event.submitter;
    if (event.target.id !== "roster-form" && !button?.matches("[data-roster-tap]")) {
      return;
    }
    event.preventDefault();
    if (button.hasAttribute("aria-busy")) {
      return;
    }
    button.setAttribute("aria-busy", "true");
    await post(button.formAction, button.name ? { [button.name]: button.value } : {});
    button.removeAttribute("aria-busy");
    if (!isLost) {
      button.closest(".roster-add__done")?.remove();
    }
  });

  // --- Changes of others: polled, and shown unless a save is under way or the sheet is open.

  const fresh = document.querySelector("[data-roster-fresh]");
  let sentAt = -Infinity; // when the newest answer was requested

  function look() {
    document.dispatchEvent(new CustomEvent("datafort:look"));
  }

  function showFresh() {
    const content = fresh.querySelector("template")?.content;
    if (!content || saving > 0 || sheet.open) {
      return;
    }
    const focused = document.activeElement?.id;
    // An answer from before the last save is outdated, and a newer one follows.
    if (sentAt > savedAt) {
      const kept = new Map(Array.from(rows.rows, (row) => [row.id, row.hidden]));
      rows.replaceChildren(...content.querySelector("tbody").children);
      for (const id of ["roster-counts", "roster-filters"]) {
        document.getElementById(id).replaceWith(content.getElementById(id));
      }
      markFilter();
      narrow(kept);
      if (focused && document.activeElement === document.body) {
        document.getElementById(focused)?.focus({ preventScroll: true });
      }
    }
    fresh.replaceChildren();
  }

  document.addEventListener("datafort:answer", (event) => (sentAt = event.detail.sent));
  document.addEventListener("datafort:fresh", function (event) {
    if (event.target === fresh) {
      showFresh();
    }
    look(); // The next step and the list show the same counts.
  });
  sheet.addEventListener("close", showFresh);

  // --- One name after the other: the field is free for the next name while the last one is on its way.

  async function send(values) {
    await post(add.action, values);
    const isRefused = isLost || add.querySelector("#add-answer .alert") !== null;
    if (isRefused && add.elements.name.value === "") {
      // Back into the field, to be corrected or confirmed.
      add.elements.name.value = values.name;
      add.elements.pronouns.value = values.pronouns;
    }
  }

  document.querySelector("[data-roster-add]")?.addEventListener("click", function (event) {
    event.preventDefault();
    add.hidden = false;
    event.currentTarget.hidden = true;
    add.elements.name.focus();
  });
  add?.addEventListener("keydown", function (event) {
    if (event.key === "Escape") {
      const button = document.querySelector("[data-roster-add]");
      add.hidden = true;
      button.hidden = false;
      button.focus();
    }
  });
  add?.addEventListener("submit", function (event) {
    if (event.submitter?.matches("[data-roster-tap]")) {
      return;
    }
    event.preventDefault();
    const values = Object.fromEntries(new FormData(add));
    delete values.idempotency_key; // A name that has been added must be confirmed as a different person.
    add.elements.name.value = "";
    add.elements.pronouns.value = "";
    add.elements.name.focus();
    send(values);
  });

  // --- The side sheet closes after a change.

  document.addEventListener("htmx:afterRequest", function (event) {
    if (event.detail.xhr.status < 400 && event.detail.successful && sheet.contains(event.detail.elt)) {
      sheet.close();
    }
  });
  // Its ids and labels must not be on the page twice.
  sheet.addEventListener("close", function () {
    sheet.querySelector("[data-sheet-body]").replaceChildren();
  });
  document.addEventListener("htmx:afterSettle", function () {
    markFilter();
    showEmpty(rows.querySelectorAll("tr:not([hidden])").length);
  });

  // --- Failures, where the eye is

  function tell(event) {
    const { requestConfig, xhr } = event.detail;
    if (requestConfig.verb === "get") {
      return;
    }
    const words = document.createElement("p");
    words.className = "alert alert--error";
    words.setAttribute("role", "alert");
    words.textContent = xhr.status === 401 ? xhr.responseText : status.dataset.lost;
    let place = document.getElementById(sheet.open ? "sheet-message" : "messages");
    if (add && new URL(requestConfig.path, location.href).href === add.action) {
      isLost = true;
      place = document.getElementById("add-answer");
    }
    place.replaceChildren(words);
  }

  ["htmx:sendError", "htmx:timeout", "htmx:responseError"].forEach((name) => document.addEventListener(name, tell));
})();
