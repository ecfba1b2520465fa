// Result entry by keyboard. Type the number of a table and Enter; 1, 2 or 0 chooses who won a game; the points of
// the loser come next, where they count; Enter saves and goes to the next open table. In a pod Enter goes from seat to
// seat. "/" goes back to the number of the table.
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

  // What must be told, in order: winners, or the victory points of a pod.
  function needed(row) {
    return Array.from(row.querySelectorAll("[data-needed]"));
  }

  // Typed totals and an intentional draw say everything; with two for one the first game does.
  function isComplete(row) {
    const typed = Array.from(row.querySelectorAll("[data-total]")).some((total) => total.value !== "");
    const drawn = row.querySelector("[data-flag='intentional_draw']:checked");
    const twice = row.querySelector("[data-flag='two_for_one']:checked");
    return typed || drawn || (twice && needed(row)[0].value !== "");
  }

  function mark(row) {
    entry.querySelectorAll(".is-current").forEach((other) => other.classList.remove("is-current"));
    if (row) {
      row.querySelector(".score-entry__row").classList.add("is-current");
    }
  }

  function goTo(row) {
    const first = row.querySelector("[aria-invalid='true']:not([type='hidden'])") || needed(row)[0];
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

  // After a winner come the points of who did not win, or the next game, or the button.
  function goOn(winner) {
    const row = rowOf(winner);
    const games = needed(row);
    const next = points(winner) || games[games.indexOf(winner) + 1] || row.querySelector("button");
    next.focus();
    if (next.select) {
      next.select();
    }
  }

  function tellWaiting() {
    const waiting = document.getElementById("waiting");
    if (waiting) {
      waiting.textContent = entry.querySelectorAll("[data-table]:not([data-settled])").length;
    }
  }

  // Enter goes on to what is still missing, and saves when nothing is.
  function onEnter(event) {
    const row = rowOf(event.target);
    if (!row || event.target.matches("button, a")) {
      return;
    }
    event.preventDefault();
    const missing = needed(row).find((field) => field.value === "");
    if (missing && missing !== event.target && !isComplete(row)) {
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
      goOn(event.target);
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
