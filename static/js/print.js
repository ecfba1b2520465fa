// <button data-print>: open the print dialogue. <time data-printed="Europe/Berlin">: show the time of printing in the
// event's time zone; without this script it is the time the page was rendered.
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
