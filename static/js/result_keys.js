// Keys in a row of the result entry: 1, 2 or 0 selects the winner of a game, then focus moves to the loser's points.
// Enter moves to the next missing field, or saves. "/" focuses the quick-entry line from anywhere.
(function () {
  "use strict";
  const { entry, rowOf, formOf, needed, mark, focusOn, isComplete } = window.resultRows;
  if (!entry) {
    return;
  }

  function onEnter(row, field) {
    const missing = needed(row).find((other) => other.value === "");
    if (missing && missing !== field && !isComplete(row)) {
      missing.focus();
    } else {
      formOf(row).requestSubmit();
    }
  }

  function pointsAfter(winner) {
    const stem = winner.name.replace(/_winner$/, "_points_");
    const loser = winner.value === "1" ? "2" : "1";
    return winner.form.elements[`${stem}${loser}`];
  }

  // After the winner, focus the loser's points, the next game, or the button.
  function goOn(winner) {
    const games = needed(rowOf(winner));
    const next = games[games.indexOf(winner) + 1] || rowOf(winner).querySelector("button");
    focusOn(pointsAfter(winner) || next);
  }

  entry.addEventListener("focusin", (event) => mark(rowOf(event.target)));
  entry.addEventListener("keydown", function (event) {
    const row = rowOf(event.target);
    if (!row || event.target.matches("button, a")) {
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      onEnter(row, event.target);
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
      focusOn(document.getElementById("entry-table"));
    }
  });
})();
