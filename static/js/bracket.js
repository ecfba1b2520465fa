// Highlight a player's path through the bracket while the name is hovered over or focused. If the reader's match of
// the current round, or else its uppermost match, is out of sight, scroll the drawing to it: on loading and when a round begins.
(function () {
  "use strict";

  function light(event) {
    const number = event.target.closest("[data-player]")?.dataset.player;
    document
      .querySelectorAll(".bracket [data-player]")
      .forEach((seat) => seat.classList.toggle("is-path", seat.dataset.player === number));
  }

  const games = (drawing, selector) => [...drawing.querySelectorAll(selector)];

  function currentGames(drawing) {
    const playing = games(drawing, ".bracket__game--playing, .bracket__game--level");
    const next = playing.length ? playing : games(drawing, ".bracket__game--ready");
    return next.length ? next : games(drawing, ".bracket__game--over").slice(-1);
  }

  let shown = "";

  function showCurrentRound() {
    const drawing = document.getElementById("bracket");
    const current = drawing ? currentGames(drawing) : [];
    const positions = current.map((game) => game.getAttribute("transform")).join();
    if (positions === shown) return;
    // A link to a round has chosen the place.
    const isChosen = !shown && location.hash;
    shown = positions;
    if (isChosen || !current.length) return;
    const top = (game) => game.getBoundingClientRect().top;
    const uppermost = current.reduce((first, game) => (top(game) < top(first) ? game : first));
    const target = current.find((game) => game.querySelector(".bracket__name--me")) ?? uppermost;
    const box = target.getBoundingClientRect();
    const edges = drawing.getBoundingClientRect();
    if (box.left < edges.left || box.right > edges.right) drawing.scrollLeft += box.left - edges.left - 16;
    const tab = document.querySelector(".bracket-tabs [aria-current]");
    if (tab) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft;
  }

  showCurrentRound();
  document.addEventListener("datafort:fresh", showCurrentRound);
  document.addEventListener("pointerover", light);
  document.addEventListener("focusin", light);
})();
