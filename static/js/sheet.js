// <a href="..." data-sheet>: show the main content of that page in a side sheet. Without this script, or when it
// cannot be loaded, the link opens the page. The part marked data-sheet-content is shown; its h1 becomes the title.
(function () {
  "use strict";
  const sheet = document.getElementById("sheet");
  const title = sheet.querySelector("[data-sheet-title]");
  const body = sheet.querySelector("[data-sheet-body]");
  let opener = null;

  async function open(link) {
    const answer = await fetch(link.href, { credentials: "same-origin" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const content = page.querySelector("[data-sheet-content]");
    if (!answer.ok || !content) {
      throw new Error(`No content for the sheet at ${link.href}: ${answer.status}`);
    }
    title.textContent = page.querySelector("h1").textContent.trim();
    body.replaceChildren(...document.importNode(content, true).childNodes);
    window.htmx?.process(body);
    opener = link;
    sheet.showModal();
  }

  // The page may have replaced the link while the sheet was open.
  sheet.addEventListener("close", function () {
    const link = opener?.isConnected ? opener : document.getElementById(opener?.id);
    link?.focus();
  });

  document.addEventListener("click", function (event) {
    const link = event.target.closest("a[data-sheet]");
    if (link && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      open(link).catch(() => window.location.assign(link.href));
    }
  });

  sheet.addEventListener("click", function (event) {
    // A click on the backdrop has the dialog itself as its target.
    if (event.target === sheet || event.target.closest("[data-sheet-close]")) {
      sheet.close();
    }
  });
})();
