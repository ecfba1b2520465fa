// <button data-print>: open the print dialogue. <time data-printed="Europe/Berlin">: show the time of printing in the
// event's time zone; without this script it is the time the page was rendered.
(function () {
  "use strict";

  function now(zone) {
    const day = { day: "numeric", month: "long", year: "numeric", timeZone: zone };
    const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone };
    const language = document.documentElement.lang;
    const moment = new Date();
    return `${moment.toLocaleDateString(language, day)}, ${moment.toLocaleTimeString(language, time)}`;
  }

  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("[data-printed]").forEach(function (moment) {
      moment.textContent = now(moment.dataset.printed);
    });
  });

  document.addEventListener("click", function (event) {
    if (event.target.closest("[data-print]")) {
      window.print();
    }
  });
})();
