// <button data-copy="#target">: copy the text or value of the target and confirm it, also to screen readers.
(function () {
  "use strict";
  const SHOWN_FOR = 2000; // milliseconds
  const MESSAGES = document.currentScript.dataset;

  // Create the live region early: regions added together with their text are often not announced.
  const announcer = document.createElement("p");
  announcer.id = "copy-status";
  announcer.className = "visually-hidden";
  announcer.setAttribute("role", "status");
  document.body.append(announcer);

  // Fallback for plain http, where browsers have no clipboard API.
  function copyBySelection(text) {
    const box = document.createElement("textarea");
    box.value = text;
    box.className = "visually-hidden";
    box.readOnly = true;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }

  async function copy(text) {
    if (!navigator.clipboard) {
      return copyBySelection(text);
    }
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      return copyBySelection(text); // The browser denied permission.
    }
  }

  function answer(button, words) {
    const label = button.dataset.copyLabel || button.textContent;
    button.dataset.copyLabel = label;
    button.textContent = words;
    announcer.textContent = words;
    setTimeout(function () {
      button.textContent = label;
      announcer.textContent = "";
    }, SHOWN_FOR);
  }

  document.addEventListener("click", async function (event) {
    const button = event.target.closest("[data-copy]");
    if (!button) {
      return;
    }
    const target = document.querySelector(button.dataset.copy);
    const text = "value" in target ? target.value : target.innerText.trim();
    const done = await copy(text);
    button.focus();
    answer(button, done ? MESSAGES.copied : MESSAGES.failed);
  });
})();
