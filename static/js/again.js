// <a data-again="10">: reload the page once the site returns a status other than 503. Check about every 10 seconds,
// and when the device comes online or the page becomes visible.
(function () {
  "use strict";
  const seconds = Number(document.querySelector("[data-again]").dataset.again);
  let timer = 0;

  async function look() {
    clearTimeout(timer);
    try {
      const answer = await fetch(location.href, { headers: { "X-Fragment": "1" }, cache: "no-store" });
      if (answer.status !== 503) {
        location.reload();
        return;
      }
    } catch (error) {
      console.info("No answer yet:", error.message);
    }
    plan();
  }

  // Random delays, so that all devices in a hall do not retry at the same moment.
  function plan() {
    clearTimeout(timer);
    timer = setTimeout(look, seconds * 1000 * (0.75 + Math.random() / 2));
  }

  window.addEventListener("online", look);
  document.addEventListener("visibilitychange", () => document.hidden || look());
  plan();
})();
