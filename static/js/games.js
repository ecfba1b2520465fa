// Systems and scoring in the form of an event: offer what the chosen game has, and let the system set the scoring.
(function () {
  "use strict";
  const game = document.querySelector("select[name='game']");
  const systems = Array.from(document.querySelectorAll("input[name='system']"));
  const scoring = document.querySelector("select[name='scoring_rule']");

  function includes(words, word) {
    return words.split(" ").includes(word);
  }

  // Show and submit only what belongs to the chosen game.
  function showGame() {
    document.querySelectorAll("[data-of-game]").forEach(function (control) {
      const isOther = !includes(control.dataset.ofGame, game.value);
      control.disabled = isOther;
      // Until now the stylesheet hid these fields, to avoid layout shifts during loading.
      control.removeAttribute("data-of-other-game");
      control.closest(control.type === "radio" ? ".choice" : ".field").hidden = isOther;
    });
    if (!systems.some((system) => system.checked && !system.disabled)) {
      systems.find((system) => !system.disabled).checked = true;
    }
  }

  function fitScoring() {
    const system = systems.find((one) => one.checked);
    if (!system || scoring.disabled) {
      return;
    }
    const options = Array.from(scoring.options);
    options.forEach(function (option) {
      const fits = (!game || includes(option.dataset.games || "", game.value)) &&
        includes(option.dataset.systems || "", system.value);
      option.disabled = !fits;
      option.hidden = !fits;
    });
    if (scoring.selectedOptions[0].disabled) {
      options.find((option) => !option.disabled).selected = true;
    }
  }

  function show() {
    if (game) {
      showGame();
    }
    fitScoring();
  }

  if (game) {
    game.addEventListener("change", show);
  }
  systems.forEach((system) => system.addEventListener("change", fitScoring));
  window.addEventListener("pageshow", show);
  show();
})();
