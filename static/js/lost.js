// Show an error below a form sent by htmx when the request fails.
(function () {
  "use strict";
  function tell(event) {
    const { elt: form, requestConfig, xhr } = event.detail;
    if (requestConfig.verb === "get") {
      return; // GET requests are polls, which retry automatically.
    }
    let words = form.nextElementSibling;
    if (!words?.matches("[data-lost]")) {
      words = document.createElement("p");
      words.className = "small";
      words.setAttribute("role", "alert");
      words.dataset.lost = "";
      form.after(words);
    }
    words.textContent = xhr.status === 401 ? xhr.responseText : "Not saved. Reload this page, then try again.";
  }

  ["htmx:sendError", "htmx:responseError"].forEach((name) => document.addEventListener(name, tell));
})();
