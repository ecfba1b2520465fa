// The wall has one screen: rows that do not fit are shown page after page, so that nobody has to scroll it.
(function () {
  "use strict";
  const PAGE_LASTS = 12000; // milliseconds: long enough to find a name in a screenful
  const MOST_PAGES = 50;
  const SIZES = [4.6, 4, 3.5, 3, 2.6, 2.3]; // letters, in hundredths of the width; then the style sheet's own
  const wall = document.querySelector("[data-projector]");
  let page = 0;
  let pages = 1;

  function rowsOf() {
    const list = wall.querySelector("[data-projector-rows]");
    return list ? { list, rows: Array.from(list.children) } : null;
  }

  function showOnly(rows, first, last) {
    rows.forEach((row, index) => (row.hidden = index < first || index >= last));
  }

  function fits(list) {
    return list.getBoundingClientRect().bottom + window.scrollY <= window.innerHeight - 8;
  }

  // The fewest pages on which the first one fits; all pages have as many rows, so the others fit too.
  function countPages(list, rows) {
    for (let count = 1; count < MOST_PAGES; count += 1) {
      showOnly(rows, 0, Math.ceil(rows.length / count));
      if (fits(list) || Math.ceil(rows.length / count) === 1) {
        return count;
      }
    }
    return MOST_PAGES;
  }

  // Few rows are shown in larger letters: the largest with which all of them fit.
  function grow(list) {
    for (const size of SIZES) {
      document.body.style.setProperty("--rows", `${size}vw`);
      if (fits(list)) {
        return;
      }
    }
    document.body.style.removeProperty("--rows");
  }

  function layOut() {
    const found = rowsOf();
    if (!found) {
      return;
    }
    document.body.classList.toggle("projector--dense", found.rows.length > 40);
    showOnly(found.rows, 0, found.rows.length);
    grow(found.list);
    pages = countPages(found.list, found.rows);
    show();
  }

  function show() {
    const found = rowsOf();
    if (!found) {
      return;
    }
    page %= pages;
    const size = Math.ceil(found.rows.length / pages);
    showOnly(found.rows, page * size, (page + 1) * size);
    wall.querySelector("[data-projector-page]").textContent = pages > 1 ? `${page + 1} / ${pages}` : "";
  }

  function turn() {
    page += 1;
    show();
  }

  wall.addEventListener("datafort:fresh", layOut);
  window.addEventListener("resize", layOut);
  setInterval(turn, PAGE_LASTS);
  layOut();
})();
