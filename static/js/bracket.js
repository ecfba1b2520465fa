// Highlight a player's path through the bracket while the name is hovered over or focused. Where the drawing is wider
// than the screen, it begins at the matches that are played.
(function () {
  "use strict";

  function light(event) {
    const number = event.target.closest("[data-player]")?.dataset.player;
    document
      .querySelectorAll(".bracket [data-player]")
      .forEach((seat) => seat.classList.toggle("is-path", seat.dataset.player === number));
  }

  const drawing = document.getElementById("bracket");
  const game = drawing?.querySelector(".bracket__game--playing, .bracket__game--level");
  if (game && !location.hash) {
    drawing.scrollLeft = game.getBoundingClientRect().left - drawing.getBoundingClientRect().left - 16;
  }

  document.addEventListener("pointerover", light);
  document.addEventListener("focusin", light);
})();
