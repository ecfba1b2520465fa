// <a data-again="10">: opens the page anew once the site answers other than 503; asks every so many seconds.
(function () {
  "use strict";
  const seconds = Number(document.querySelector("[data-again]").dataset.again);

  async function look() {
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
    setTimeout(look, seconds * 1000 * (0.75 + Math.random() / 2));
  }

  plan();
})();
