// New event: start at the next hour of this device, and suggest rounds and cut for the expected number of players.
(function () {
  "use strict";
  const day = document.querySelector("[data-next-hour][name='starts_on']");
  const hour = document.querySelector("[data-next-hour][name='start_time']");
  const expected = document.querySelector("#expected");
  const rounds = document.querySelector("[name='planned_rounds']");
  const topCut = document.querySelector("[name='planned_cut']");
  const words = document.querySelector("#suggested-rounds");
  let suggested = "";
  let suggestedCut = "";

  // The server only knows its own time zone.
  function startNextHour() {
    const now = new Date();
    const two = (number) => String(number).padStart(2, "0");
    day.value = now.getFullYear() + "-" + two(now.getMonth() + 1) + "-" + two(now.getDate());
    hour.value = now.getHours() < 23 ? two(now.getHours() + 1) + ":00" : "";
  }

  function suggest() {
    const players = Number(expected.value);
    const system = document.querySelector("[name='system']:checked");
    const limits = expected.dataset.limits.split(" ").map(Number);
    const isSwiss = system && expected.dataset.systems.split(" ").includes(system.value);
    const before = suggested;
    const cutBefore = suggestedCut;
    suggested = "";
    suggestedCut = "";
    words.textContent = "";
    if (isSwiss && players >= 3 && players <= limits[limits.length - 1]) {
      const cuts = expected.dataset.cuts.split(" ").map((pair) => pair.split(":").map(Number));
      const cut = cuts.find((pair) => players >= pair[0]);
      suggestedCut = cut ? String(cut[1]) : "";
      suggested = String(limits.findIndex((limit) => players <= limit) + 1);
      words.textContent = (cut ? words.dataset.withCut : words.dataset.withoutCut)
        .replace("{players}", players)
        .replace("{rounds}", suggested)
        .replace("{cut}", suggestedCut);
    }
    // A number that the organiser typed stays.
    if (rounds.value === before) {
      rounds.value = suggested;
    }
    if (topCut.value === cutBefore) {
      topCut.value = suggestedCut;
    }
  }

  if (day && hour && day.value === day.defaultValue && hour.value === hour.defaultValue) {
    startNextHour();
  }
  expected.addEventListener("input", suggest);
  document.querySelectorAll("[name='system'], [name='game']").forEach(function (control) {
    control.addEventListener("change", suggest);
  });
})();
