// Of a new event only the settings of the chosen game are shown; the others are not sent.
(function () {
  "use strict";
  const game = document.querySelector("select[name='game']");
  if (!game) {
    return;
  }
  const controls = document.querySelectorAll("[data-of-game]");
  function show() {
    controls.forEach(function (control) {
      const isOther = !control.dataset.ofGame.split(" ").includes(game.value);
      control.disabled = isOther;
      // Until here the stylesheet hid those of other games, so that nothing moves while the page loads.
      control.removeAttribute("data-of-other-game");
      control.closest(".field").hidden = isOther;
    });
  }
  game.addEventListener("change", show);
  window.addEventListener("pageshow", show);
  show();
})();
