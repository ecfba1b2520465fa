// <input data-find>: show only pairings whose player names contain every word typed, or given as ?q= in the address.
// The filter survives refreshes. Without this script the whole list is shown.
(function () {
  "use strict";
  let typed = new URLSearchParams(location.search).get("q") || "";

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
  function narrowAgain() {
    const field = document.querySelector("[data-find]");
    if (field && typed) {
      field.value = typed;
      narrow();
    }
  }

  document.addEventListener("datafort:fresh", narrowAgain);
  narrowAgain();
})();
