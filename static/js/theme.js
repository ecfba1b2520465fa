// Light, dark or automatic theme. Runs before the first paint, so that the stored theme does not flash. Sets
// .has-script, so that the layout reserves space for parts that need scripts.
(function () {
  "use strict";
  document.documentElement.classList.add("has-script");
  const KEY = "datafort-theme";
  const CHOICES = ["auto", "light", "dark"];

  function stored() {
    try {
      const value = localStorage.getItem(KEY);
      return CHOICES.includes(value) ? value : "auto";
    } catch (error) {
      return "auto"; // Storage is blocked: follow the device's theme.
    }
  }

  function store(choice) {
    try {
      localStorage.setItem(KEY, choice);
    } catch (error) {
      console.info("The theme holds for this page only: storage is blocked.");
    }
  }

  function apply(choice) {
    if (choice === "auto") {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = choice;
    }
  }

  function show(button, choice) {
    button.dataset.choice = choice;
    const name = button.querySelector("[data-theme-name]");
    name.textContent = name.dataset[choice];
  }

  function start(button) {
    let choice = stored();
    show(button, choice);
    button.addEventListener("click", function () {
      choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
      store(choice);
      apply(choice);
      show(button, choice);
    });
  }

  apply(stored());
  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll("[data-theme-toggle]").forEach(start);
  });
})();
