// Show the age of the projector page: "Updated 4 s ago", and a warning if the site has not responded for long.
(function () {
  "use strict";
  const STALE_AFTER = 20; // seconds
  const LOOK_EVERY = 5; // seconds; the projector polls at this rate even if regular polling slows down
  const MESSAGES = document.currentScript.dataset;
  const words = document.querySelector("[data-wall-fresh]");
  const mark = document.querySelector("[data-wall-stale]");
  let heardAt = Date.now();

  function ago(seconds) {
    return seconds < 1 ? MESSAGES.now : MESSAGES.ago.replace("{seconds}", seconds);
  }

  function clockTime(moment) {
    return new Date(moment).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }

  function show() {
    const seconds = Math.max(0, Math.floor((Date.now() - heardAt) / 1000));
    const isStale = seconds >= STALE_AFTER;
    words.textContent = isStale ? MESSAGES.staleFor.replace("{seconds}", seconds) : ago(seconds);
    if (mark.hidden === isStale) {
      const offset = window.datafort.time.now() - Date.now();
      mark.textContent = isStale ? MESSAGES.staleSince.replace("{time}", clockTime(heardAt + offset)) : "";
      mark.hidden = !isStale;
      document.body.classList.toggle("wall-is-stale", isStale);
      window.dispatchEvent(new Event("resize")); // The warning takes up space, so lay out the page again.
    }
  }

  document.addEventListener("datafort:answer", function () {
    heardAt = Date.now();
    show();
  });
  setInterval(show, 1000);
  setInterval(() => document.dispatchEvent(new CustomEvent("datafort:look")), LOOK_EVERY * 1000);
  show();
})();
