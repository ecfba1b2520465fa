// <input data-find>: of the pairings below, only rows stay whose players hold every word typed. The page may refresh
// meanwhile: what was typed stays. Without this script the button asks the site.
(function () {
  "use strict";
  let typed = "";

  function plain(text) {
    return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  }

  function narrow() {
    const words = plain(typed).split(/\s+/).filter(Boolean);
    let left = 0;
    document.querySelectorAll(".pairings tbody tr").forEach(function (row) {
      const names = plain([...row.querySelectorAll(".player-name")].map((name) => name.textContent).join(" "));
      row.hidden = !words.every((word) => names.includes(word));
      left += row.hidden ? 0 : 1;
    });
    const status = document.querySelector("[data-find-status]");
    if (status) {
      status.textContent = words.length ? (left ? `${left} found` : "No player found") : "";
      status.classList.toggle("visually-hidden", left > 0);
    }
  }

  document.addEventListener("input", function (event) {
    if (event.target.matches("[data-find]")) {
      typed = event.target.value;
      narrow();
    }
  });
  document.addEventListener("submit", function (event) {
    if (event.target.querySelector("[data-find]")) {
      event.preventDefault();
    }
  });
  document.addEventListener("datafort:fresh", function () {
    const field = document.querySelector("[data-find]");
    if (field && typed) {
      field.value = typed;
      narrow();
    }
  });
})();
