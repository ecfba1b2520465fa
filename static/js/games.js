// Form for a new event: show and submit only the settings of the chosen game.
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
      // Until now the stylesheet hid these fields, to avoid layout shifts during loading.
      control.removeAttribute("data-of-other-game");
      control.closest(".field").hidden = isOther;
    });
  }
  game.addEventListener("change", show);
  window.addEventListener("pageshow", show);
  show();
})();
