// <button data-add="5" data-to="id_minutes" data-needs-script>: add to the number field, up to its maximum.
(function () {
  "use strict";

  function add(button) {
    const field = document.getElementById(button.dataset.to);
    const sum = (parseInt(field.value, 10) || 0) + Number(button.dataset.add);
    field.value = Math.min(sum, Number(field.max));
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  for (const button of document.querySelectorAll("[data-add]")) {
    button.addEventListener("click", function () {
      add(button);
    });
  }
})();
