// Point at a player of the bracket, or reach the name with the keyboard: their way through the drawing lights up.
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
