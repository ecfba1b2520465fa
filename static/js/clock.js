// <p class="clock" data-clock-end="2026-05-02T14:05:00+00:00">: minutes and seconds until then, and beyond.
// The server says when the round ends; without this script the page shows that time instead.
(function () {
  "use strict";
  const LATE_FROM = 10 * 60; // seconds before the end

  function twoDigits(number) {
    return String(number).padStart(2, "0");
  }

  function show(clock) {
    const left = Math.round((Date.parse(clock.dataset.clockEnd) - Date.now()) / 1000);
    if (Number.isNaN(left)) {
      return; // The server's words stay.
    }
    const seconds = Math.abs(left);
    const text = `${left < 0 ? "+" : ""}${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;
    clock.querySelector(".clock__time").textContent = text;
    clock.querySelector("[data-clock-words]").textContent = left < 0 ? "over time in" : "left in";
    clock.classList.toggle("clock--late", left >= 0 && left < LATE_FROM);
    clock.classList.toggle("clock--over", left < 0);
  }

  function showAll() {
    document.querySelectorAll("[data-clock-end]").forEach(show);
  }

  document.addEventListener("datafort:fresh", showAll);
  setInterval(showAll, 1000);
  showAll();
})();
