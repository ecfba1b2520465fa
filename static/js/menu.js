// details.menu: Escape, a click elsewhere and the choice of an item close the menu. Escape returns the focus to its
// button.
(function () {
  "use strict";

  function openMenus() {
    return document.querySelectorAll("details.menu[open]");
  }

  // Captured, so that the same key does not also close a toast.
  document.addEventListener(
    "keydown",
    function (event) {
      const menus = document.querySelector("dialog[open]") ? [] : openMenus();
      if (event.key === "Escape" && menus.length > 0) {
        event.stopPropagation();
        menus.forEach((menu) => (menu.open = false));
        menus[0].querySelector("summary").focus();
      }
    },
    true,
  );

  document.addEventListener("click", function (event) {
    openMenus().forEach(function (menu) {
      if (!menu.contains(event.target) || event.target.closest(".menu__items :is(a, button)")) {
        menu.open = false;
      }
    });
  });
})();
