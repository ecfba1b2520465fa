// <a data-again="10">: opens the page again once the site answers other than 503. Looks every 10 seconds or so, and
// when the device is online again or shows the page again.
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

  // A hall that waits does not come all at once.
  function plan() {
    clearTimeout(timer);
    timer = setTimeout(look, seconds * 1000 * (0.75 + Math.random() / 2));
  }

  window.addEventListener("online", look);
  document.addEventListener("visibilitychange", () => document.hidden || look());
  plan();
})();
