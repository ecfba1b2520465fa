// Messages after an action: closed by their button or Escape. Confirmations also leave when the user has had time to
// read them and neither points at them nor has the focus in them; errors stay.
(function () {
  "use strict";
  const SHOWN_FOR = 6000; // milliseconds
  const SHOWN_WITH_UNDO_FOR = 10000;

  function close(toast) {
    toast.remove();
  }

  function fade(toast) {
    setTimeout(function () {
      if (toast.matches(":hover, :focus-within")) {
        fade(toast);
      } else {
        close(toast);
      }
    }, toast.querySelector("a") ? SHOWN_WITH_UNDO_FOR : SHOWN_FOR);
  }

  document.addEventListener("click", function (event) {
    const button = event.target.closest("[data-toast-close]");
    if (button) {
      close(button.closest(".toast"));
    }
  });

  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
      document.querySelectorAll(".page > .messages .toast").forEach(close);
    }
  });

  function fadeNew() {
    document.querySelectorAll(".page > .messages .toast:not([role='alert'], [data-fades])").forEach(function (toast) {
      toast.dataset.fades = "";
      fade(toast);
    });
  }

  document.addEventListener("htmx:afterSettle", fadeNew);
  fadeNew();
})();
