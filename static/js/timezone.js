// An event made here is most likely played here: the zone of the device, until another is typed.
(function () {
  "use strict";
  const field = document.querySelector("input[name='time_zone']");
  if (field && field.value === "") {
    field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  }
})();
