// Highlight a player's path through the bracket while the name is hovered over or focused. If the matches that are played
// are out of sight, the drawing begins with them.
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
  const isHidden = game && game.getBoundingClientRect().right > drawing.getBoundingClientRect().right;
  if (isHidden && !location.hash) {
    drawing.scrollLeft = game.getBoundingClientRect().left - drawing.getBoundingClientRect().left - 16;
  }

  document.addEventListener("pointerover", light);
  document.addEventListener("focusin", light);
})();
