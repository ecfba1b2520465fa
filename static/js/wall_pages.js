// A view of the wall has no scroll bar: its rows stand in columns, as large as they fit; what does not fit on one
// page at a size that can be read from ten metres is on the next. Offered to projector.js as window.datafort.pages.
(function () {
  "use strict";
  // Letters in hundredths of the screen, whichever of its sides is short. Below the last nobody reads them afar.
  const SIZES = [9, 8, 7, 6.3, 5.6, 5, 4.5, 4, 3.6, 3.3, 3, 2.8];
  const WIDEST = 16 / 9;

  function hundredth() {
    return Math.min(window.innerHeight, window.innerWidth / WIDEST) / 100;
  }

  class Pages {
    constructor(view, factor) {
      this.box = view.querySelector("[data-wall-box]");
      this.list = this.box?.firstElementChild;
      this.count = 1;
      if (this.list && this.list.children.length) {
        this.fit(factor);
      }
    }

    // The largest letters with which all fit on one page; else the largest that need no more pages than the smallest.
    fit(factor) {
      const fewest = this.countAt(SIZES.at(-1) * factor);
      const size = SIZES.find((one) => this.countAt(one * factor) <= fewest) ?? SIZES.at(-1);
      this.count = this.countAt(size * factor);
      this.list.classList.toggle("wall__rows--one-page", this.count === 1);
    }

    countAt(size) {
      this.list.style.transform = "";
      this.list.classList.remove("wall__rows--one-page");
      this.box.style.setProperty("--rows", `${(size * hundredth()).toFixed(2)}px`);
      const last = this.list.lastElementChild.getBoundingClientRect();
      const start = this.list.getBoundingClientRect().left;
      return Math.max(1, Math.floor((last.left - start + 2) / this.step()) + 1);
    }

    // From one page to the next: all columns and the gap behind them, to the part of a pixel.
    step() {
      const gap = parseFloat(getComputedStyle(this.list).columnGap) || 0;
      return this.box.getBoundingClientRect().width + gap;
    }

    show(page) {
      if (this.list) {
        this.list.style.transform = page ? `translateX(${-page * this.step()}px)` : "";
      }
    }
  }

  window.datafort = window.datafort || {};
  window.datafort.pages = (view, factor) => new Pages(view, factor);
})();
