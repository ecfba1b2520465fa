// The grid of the standings: a cell gives the place of the opponent, whose name stands in that row of the page.
(function () {
  "use strict";

  function nameOpponents() {
    const names = new Map();
    document.querySelectorAll(".grid-table tbody tr").forEach(function (row) {
      names.set(String(parseInt(row.cells[0].textContent, 10)), row.querySelector(".player-name").textContent);
    });
    document.querySelectorAll(".grid-table .cell small").forEach(function (small) {
      const [, place] = /^v(\d+)/.exec(small.textContent);
      small.parentElement.title = names.get(place) || "";
    });
  }

  document.addEventListener("datafort:fresh", nameOpponents);
  nameOpponents();
})();
