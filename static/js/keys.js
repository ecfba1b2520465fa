// Result entry by keyboard. Type the number of a table and Enter; 1, 2 or 0 chooses who won a game; the points of
// the loser come next; Enter saves and goes to the next open table. "/" goes back to the number of the table.
(function () {
  "use strict";
  const entry = document.querySelector("[data-score-entry]");
  const jump = document.querySelector("[data-jump]");
  if (!entry || !jump) {
    return;
  }
  const field = jump.querySelector("input");

  function rowOf(element) {
    return element.closest("[data-table]");
  }

  function winners(row) {
    return Array.from(row.querySelectorAll("[data-game] select[name$='_winner']"));
  }

  function mark(row) {
    entry.querySelectorAll(".is-current").forEach((other) => other.classList.remove("is-current"));
    if (row) {
      row.querySelector(".score-entry__row").classList.add("is-current");
    }
  }

  function goTo(row) {
    const first = row.querySelector("[aria-invalid='true']:not([type='hidden'])") || winners(row)[0];
    row.scrollIntoView({ block: "nearest" });
    first.focus();
  }

  function nextOpen(row) {
    const rows = Array.from(entry.querySelectorAll("[data-table]"));
    const place = rows.findIndex((other) => other.dataset.table === row.dataset.table);
    const after = rows.slice(place + 1).concat(rows.slice(0, place));
    return after.find((other) => !("settled" in other.dataset));
  }

  function points(winner) {
    const stem = winner.name.replace(/_winner$/, "_points_");
    const loser = winner.value === "1" ? "2" : "1";
    return winner.value === "0" ? winner.form.elements[`${stem}1`] : winner.form.elements[`${stem}${loser}`];
  }

  function tellWaiting() {
    const waiting = document.getElementById("waiting");
    if (waiting) {
      waiting.textContent = entry.querySelectorAll("[data-table]:not([data-settled])").length;
    }
  }

  // In a game whose winner is told, Enter goes on to the next game that lacks one, and saves when none does.
  function onEnter(event) {
    const row = rowOf(event.target);
    if (!row || event.target.matches("button, a")) {
      return;
    }
    event.preventDefault();
    const missing = winners(row).find((winner) => winner.value === "");
    if (missing && missing !== event.target) {
      missing.focus();
    } else {
      row.querySelector("form").requestSubmit();
    }
  }

  jump.hidden = false;
  jump.addEventListener("submit", function (event) {
    event.preventDefault();
    const row = entry.querySelector(`[data-table="${CSS.escape(field.value.trim())}"]`);
    field.setCustomValidity(row ? "" : "There is no such table.");
    if (row) {
      field.value = "";
      goTo(row);
    } else {
      field.reportValidity();
    }
  });
  field.addEventListener("input", () => field.setCustomValidity(""));

  entry.addEventListener("focusin", (event) => mark(rowOf(event.target)));
  entry.addEventListener("keydown", function (event) {
    if (event.key === "Enter") {
      onEnter(event);
    } else if (/^[012]$/.test(event.key) && event.target.matches("select[name$='_winner']")) {
      event.preventDefault();
      event.target.value = event.key;
      event.target.dispatchEvent(new Event("change", { bubbles: true }));
      points(event.target).focus();
      points(event.target).select();
    }
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && !event.target.matches("input[type='text'], textarea")) {
      event.preventDefault();
      field.focus();
    }
  });
  document.addEventListener("htmx:afterSettle", function (event) {
    const row = event.target.closest ? event.target.closest("[data-table]") : null;
    if (!row) {
      return;
    }
    tellWaiting();
    if ("refused" in row.dataset) {
      goTo(row);
    } else {
      const next = nextOpen(row);
      if (next) {
        goTo(next);
      } else {
        field.focus();
      }
    }
  });
})();
