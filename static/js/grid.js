// Cross table of the standings: cells contain the opponent's place; add the opponent's name as a tooltip.
(function () {
  "use strict";

  function nameOpponents() {
    const names = new Map();
    document.querySelectorAll(".grid-table tbody tr[id]").forEach(function (row) {
      names.set(String(parseInt(row.cells[0].textContent, 10)), row.querySelector(".player-name").textContent);
    });
    document.querySelectorAll(".grid-table .cell small").forEach(function (small) {
      small.parentElement.title = names.get(small.dataset.place) || "";
    });
  }

  document.addEventListener("datafort:fresh", nameOpponents);
  nameOpponents();
})();
