// Form of an event: the switch of the second day, and tie-breakers as a list that is ordered by buttons or by dragging.
(function () {
  "use strict";

  // A disabled fieldset is not submitted, so switching off removes the second day.
  document.querySelectorAll("[data-switch]").forEach(function (part) {
    const box = part.querySelector("[data-needs-script] input");
    const fields = part.querySelector("fieldset");
    function show() {
      fields.disabled = !box.checked;
    }
    box.addEventListener("change", show);
    window.addEventListener("pageshow", show);
    show();
  });

  const part = document.querySelector(".tie-breakers");
  const selects = part ? Array.from(part.querySelectorAll("select")) : [];
  if (!selects.length) {
    return;
  }
  const list = document.createElement("ol");
  const places = selects.map((select) => ({ name: select.name, label: select.getAttribute("aria-label") }));
  list.className = "order";
  selects[0].before(list);
  selects.forEach(function (select) {
    const row = part.querySelector("template").content.firstElementChild.cloneNode(true);
    row.querySelector(".order__handle").after(select);
    list.append(row);
  });

  const rows = () => Array.from(list.children);
  const selectOf = (row) => row.querySelector("select");
  const isEmpty = (row) => selectOf(row).value === "";

  // Names and labels belong to places; one empty row offers a further tie-breaker.
  function number() {
    rows().filter(isEmpty).forEach((row) => list.append(row));
    const filled = rows().filter((row) => !isEmpty(row)).length;
    rows().forEach(function (row, place) {
      const select = selectOf(row);
      select.name = places[place].name;
      select.setAttribute("aria-label", places[place].label);
      row.hidden = place > filled;
      row.classList.toggle("order__row--empty", isEmpty(row));
      row.querySelectorAll("[data-moved]").forEach(function (name) {
        name.textContent = select.selectedOptions[0].text;
      });
      row.querySelector("[data-move='-1']").disabled = isEmpty(row) || place === 0;
      row.querySelector("[data-move='1']").disabled = isEmpty(row) || place >= filled - 1;
    });
  }

  list.addEventListener("change", number);

  list.addEventListener("click", function (event) {
    const button = event.target.closest("[data-move]");
    if (!button) {
      return;
    }
    const row = button.closest("li");
    if (button.dataset.move === "-1") {
      row.previousElementSibling.before(row);
    } else {
      row.nextElementSibling.after(row);
    }
    number();
    // At the end of the list the button is disabled and would lose the focus.
    (button.disabled ? selectOf(row) : button).focus();
  });

  list.addEventListener("pointerdown", function (event) {
    const handle = event.target.closest(".order__handle");
    if (!handle) {
      return;
    }
    const row = handle.closest("li");
    event.preventDefault();
    row.classList.add("order__row--moving");

    function move(at) {
      const target = rows().find(function (other) {
        const box = other.getBoundingClientRect();
        return other !== row && !isEmpty(other) && at.clientY > box.top && at.clientY < box.bottom;
      });
      if (target) {
        const isAbove = rows().indexOf(target) < rows().indexOf(row);
        target[isAbove ? "before" : "after"](row);
      }
    }

    function drop() {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", drop);
      document.removeEventListener("pointercancel", drop);
      row.classList.remove("order__row--moving");
      number();
    }

    // Not on the handle: it loses the pointer when its row moves.
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", drop);
    document.addEventListener("pointercancel", drop);
  });

  number();
})();
