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
      control.closest(".field").hidden = isOther;
    });
  }
  game.addEventListener("change", show);
  window.addEventListener("pageshow", show);
  show();
})();
