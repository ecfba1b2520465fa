// Projector views do not scroll. Rows are set in columns, as large as they fit; rows that do not fit on one page at a
// size readable from eight metres continue on the next. projector.js uses this as window.datafort.pages.
(function () {
  "use strict";
  // Font sizes in hundredths of the shorter side of the screen. Sides are 0.85 times as large; below 2.7, text is
  // unreadable from eight metres.
  const SIZES = [9, 8, 7, 6.3, 5.6, 5, 4.5, 4, 3.6, 3.2];
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

    // Use the largest font size that needs no more pages than the smallest size, times the factor that the user chose.
    fit(factor) {
      const fewest = this.countAt(SIZES.at(-1));
      const size = SIZES.find((one) => this.countAt(one) <= fewest) ?? SIZES.at(-1);
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

    // Distance between pages: all columns and the gap after them, including fractions of a pixel.
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
