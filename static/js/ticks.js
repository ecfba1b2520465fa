// Boxes of a deck check: kept on this device, so that a reload at the table loses nothing.
(function () {
  "use strict";
  const list = document.querySelector("[data-ticks]");
  if (!list) {
    return;
  }
  const key = "datafort-ticks-" + list.dataset.ticks;
  const boxes = Array.from(list.querySelectorAll("[data-tick]"));
  const count = list.querySelector("[data-ticked]");

  function kept() {
    try {
      return new Set(JSON.parse(localStorage.getItem(key)) || []);
    } catch (error) {
      return new Set(); // Private windows keep nothing.
    }
  }

  function keep() {
    const ticked = boxes.filter((box) => box.checked).map((box) => box.dataset.tick);
    try {
      localStorage.setItem(key, JSON.stringify(ticked));
    } catch (error) {
      // As above: the boxes still work until the page is left.
    }
  }

  function show() {
    const copies = boxes.filter((box) => box.checked).map((box) => Number(box.dataset.copies));
    count.textContent = copies.reduce((sum, copies) => sum + copies, 0);
  }

  const before = kept();
  boxes.forEach(function (box) {
    box.checked = before.has(box.dataset.tick);
  });
  show();
  list.addEventListener("change", function () {
    keep();
    show();
  });
})();
