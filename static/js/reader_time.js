// <span data-reader-time="2026-12-12T10:00:00+01:00" data-event-time="10:00" data-words="TIME where you are" hidden>: show
// the start of an event in the reader's time zone, if it differs from the time at the event.
(function () {
  "use strict";

  function show() {
    document.querySelectorAll("[data-reader-time]").forEach(function (element) {
      const start = new Date(element.dataset.readerTime);
      const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
      const time = start.toLocaleTimeString([], clock);
      // The same clock may be a day away: Kiritimati and Honolulu differ by 24 hours.
      const isSameDay = start.getDate() === Number(element.dataset.readerTime.slice(8, 10));
      if (time !== element.dataset.eventTime || !isSameDay) {
        const day = isSameDay ? {} : { weekday: "long" };
        element.textContent = element.dataset.words.replace("TIME", start.toLocaleString([], { ...day, ...clock }));
        element.hidden = false;
      }
    });
  }

  document.addEventListener("datafort:fresh", show);
  show();
})();
