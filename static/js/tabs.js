// On a narrow screen the tabs scroll: start with the current tab in view. In the bar of a player's phone, Table and Me
// are two parts of one page: mark the part that is shown.
(function () {
  "use strict";
  const here = document.querySelector(".tabs__list [aria-current]");
  if (here) {
    const list = here.closest(".tabs__list");
    const beside = (list.clientWidth - here.offsetWidth) / 2;
    list.scrollLeft += here.getBoundingClientRect().left - list.getBoundingClientRect().left - beside;
  }

  const parts = document.getElementById("me") ? [...document.querySelectorAll(".phone-bar a[href*='#']")] : [];

  function markPart() {
    const shown = location.hash === "#me" ? "#me" : "#table";
    parts.forEach((link) => (link.hash === shown ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")));
  }

  window.addEventListener("hashchange", markPart);
  markPart();
})();
