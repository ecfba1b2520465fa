// <input data-find>: show only pairings whose player names contain every word typed, or given as ?q= in the address.
// Names are compared by sort_key.js. The filter survives refreshes. Without this script the whole list is shown.
(function () {
  "use strict";
  let typed = new URLSearchParams(location.search).get("q") || "";

  function narrow() {
    const words = window.sortKey(typed).split(/\s+/).filter(Boolean);
    let left = 0;
    document.querySelectorAll(".pairings tbody tr").forEach(function (row) {
      const names = window.sortKey([...row.querySelectorAll(".player-name")].map((name) => name.textContent).join(" "));
      row.hidden = !words.every((word) => names.includes(word));
      left += row.hidden ? 0 : 1;
    });
    const status = document.querySelector("[data-find-status]");
    if (status) {
      const text = left ? status.dataset.found.replace("{count}", left) : status.dataset.none;
      status.textContent = words.length ? text : "";
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
