// Default the time zone of a new event to that of the device.
(function () {
  "use strict";
  const field = document.querySelector("input[name='time_zone']");
  if (field && field.value === "") {
    field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  }
})();
