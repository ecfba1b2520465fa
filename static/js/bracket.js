// Highlight a player's path through the bracket while the name is hovered over or focused.
(function () {
  "use strict";

  function light(event) {
    const number = event.target.closest("[data-player]")?.dataset.player;
    document
      .querySelectorAll(".bracket [data-player]")
      .forEach((seat) => seat.classList.toggle("is-path", seat.dataset.player === number));
  }

  document.addEventListener("pointerover", light);
  document.addEventListener("focusin", light);
})();
