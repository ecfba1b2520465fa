// <button data-print>: the browser's print dialogue. <time data-printed="Europe/Berlin">: the moment of printing,
// by the clock of the event; without this script it is the moment the page was made.
(function () {
  "use strict";

  function now(zone) {
    const format = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    const parts = new Intl.DateTimeFormat("en-GB", { ...format, timeZone: zone }).formatToParts(new Date());
    const of = (type) => parts.find((part) => part.type === type).value;
    return `${of("day")} ${of("month")} ${of("year")}, ${of("hour")}:${of("minute")}`;
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
