// Checkboxes of a deck check, stored on this device so that they survive a reload.
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
      return new Set(); // Storage is blocked, as in some private windows.
    }
  }

  function keep() {
    const ticked = boxes.filter((box) => box.checked).map((box) => box.dataset.tick);
    try {
      localStorage.setItem(key, JSON.stringify(ticked));
    } catch (error) {
      // Storage is blocked: the boxes work until the page is left.
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
