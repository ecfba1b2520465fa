// <select data-narrow="label">: add a search field that filters the options by every word typed. A single match
// is selected. Without this script the select has all options. The script element has the messages: the numbers of
// matches are for screen readers, and that nothing matches is visible.
(function () {
  "use strict";
  const MESSAGES = document.currentScript.dataset;

  function wordsOf(option) {
    const group = option.parentElement.label || "";
    return `${option.text} ${group}`.toLowerCase();
  }

  function narrow(select, whole, typed) {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = select.value;
    const copy = whole.cloneNode(true);
    const kept = [...copy.querySelectorAll("option")].filter(function (option) {
      const fits = !words.length || (option.value && words.every((word) => wordsOf(option).includes(word)));
      if (!fits && option.value) {
        option.remove();
      }
      return fits && option.value;
    });
    copy.querySelectorAll("optgroup:not(:has(option))").forEach((group) => group.remove());
    select.replaceChildren(...copy.childNodes);
    select.value = kept.some((option) => option.value === chosen) ? chosen : "";
    if (words.length && kept.length === 1) {
      select.value = kept[0].value;
    }
    return kept.length;
  }

  document.querySelectorAll("select[data-narrow]").forEach(function (select) {
    const whole = select.cloneNode(true);
    const field = document.createElement("input");
    const status = document.createElement("p");
    field.type = "search";
    field.autocomplete = "off";
    field.placeholder = select.dataset.narrow;
    field.setAttribute("aria-label", select.dataset.narrow);
    field.setAttribute("aria-controls", select.id);
    status.className = "field__help visually-hidden";
    status.setAttribute("role", "status");
    field.addEventListener("input", function () {
      const left = narrow(select, whole, field.value);
      status.classList.toggle("visually-hidden", left > 0);
      if (left === 0) {
        status.textContent = MESSAGES.none.replace("{text}", () => field.value.trim());
      } else {
        status.textContent = left === 1
          ? MESSAGES.one.replace("{name}", () => select.selectedOptions[0].text)
          : MESSAGES.many.replace("{count}", left);
      }
    });
    // Enter in the search field must not submit the form.
    field.addEventListener("keydown", function (event) {
      if (event.key === "Enter") {
        event.preventDefault();
        select.focus();
      }
    });
    select.before(field, status);
  });
})();
