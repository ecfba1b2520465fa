// Helpers for the rows of the result entry, shared by result_line.js, result_keys.js and result_fresh.js.
window.resultRows = (function () {
  "use strict";
  const entry = document.querySelector("[data-score-entry]");
  const rowOf = (element) => element.closest("[data-table]");
  const rowAt = (number) => entry.querySelector(`[data-table="${CSS.escape(number)}"]`);
  const numberOf = (row) => row.dataset.table;
  const formOf = (row) => row.querySelector("form");
  const fieldOf = (row, name) => formOf(row).elements[`${formOf(row).id}-${name}`];
  // Required fields in order: winners, or the victory points of a pod. Fields decided by a penalty are disabled.
  const needed = (row) => Array.from(row.querySelectorAll("[data-needed]:enabled"));

  function namesOf(row) {
    const players = Array.from(row.querySelectorAll(".score-entry__player"));
    return players.map((player) => player.textContent.replace(/\s+/g, " ").trim()).join(", ");
  }

  function mark(row) {
    entry.querySelectorAll(".is-current").forEach((other) => other.classList.remove("is-current"));
    if (row) {
      row.querySelector(".score-entry__row").classList.add("is-current");
    }
  }

  function focusOn(field) {
    field.scrollIntoView({ block: "nearest" });
    field.focus();
    if (field.select) {
      field.select();
    }
  }

  function goTo(row) {
    const wrong = row.querySelector("[aria-invalid='true']:not([type='hidden'])");
    const field = wrong || needed(row)[0];
    if (field) {
      focusOn(field);
    }
  }

  function nextOpen(row) {
    const rows = Array.from(entry.querySelectorAll("[data-table]"));
    const after = rows.slice(rows.indexOf(row) + 1).concat(rows.slice(0, rows.indexOf(row)));
    return after.find((other) => !("settled" in other.dataset));
  }

  // Totals or an intentional draw complete a row; with two-for-one, the first game does.
  function isComplete(row) {
    const typed = Array.from(row.querySelectorAll("[data-total]")).some((total) => total.value !== "");
    const drawn = row.querySelector("[data-flag='intentional_draw']:checked");
    const twice = row.querySelector("[data-flag='two_for_one']:checked");
    return typed || drawn || (twice && needed(row)[0]?.value !== "");
  }

  return { entry, rowOf, rowAt, numberOf, formOf, fieldOf, needed, namesOf, mark, focusOn, goTo, nextOpen, isComplete };
})();
