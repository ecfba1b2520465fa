// On a narrow screen the tabs scroll: start with the current tab in view.
(function () {
  "use strict";
  const here = document.querySelector(".tabs__list [aria-current]");
  if (here) {
    const list = here.closest(".tabs__list");
    const beside = (list.clientWidth - here.offsetWidth) / 2;
    list.scrollLeft += here.getBoundingClientRect().left - list.getBoundingClientRect().left - beside;
  }
})();
