// Time zones of the browser as suggestions for a field, and the browser's own zone and hour for a new event.
(function () {
  "use strict";
  const field = document.querySelector("input[name='time_zone']");
  const list = document.querySelector("#time-zones");
  if (!field) {
    return;
  }
  if (field.value === "") {
    field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  }

  function fillList() {
    if (list.children.length || !Intl.supportedValuesOf) {
      return;
    }
    ["UTC"].concat(Intl.supportedValuesOf("timeZone")).forEach(function (zone) {
      const option = document.createElement("option");
      option.value = zone;
      list.append(option);
    });
  }
  field.addEventListener("focus", fillList);
})();
