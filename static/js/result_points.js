// Forms with every field of a result: choosing another result clears the points that belong to the former one. The
// result that the form was opened with gets its points back. Used by result_cards.js, too.
window.clearFormerPoints = (function () {
  "use strict";

  function clearFormerPoints(form, code) {
    const opened = form.querySelector("[name$='code'][checked]")?.value || "";
    const former = form.dataset.code ?? opened;
    form.dataset.code = code;
    if (code === former) {
      return;
    }
    for (const field of form.querySelectorAll(".field[data-asked-after]")) {
      const codes = field.dataset.askedAfter.split(" ");
      const input = field.querySelector("input");
      if (code === "" || code === opened) {
        input.value = input.defaultValue;
      } else if (!codes.includes(former) || !codes.includes(code)) {
        input.value = "";
      }
    }
  }

  document.addEventListener("change", function (event) {
    const form = event.target.closest("form.report");
    if (form && event.target.matches("[type='radio'][name$='code']")) {
      clearFormerPoints(form, event.target.value);
    }
  });

  return clearFormerPoints;
})();
