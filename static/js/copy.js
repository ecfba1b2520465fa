// <button data-copy="#target">: copies the text or value of the target and says so, to ears as well.
(function () {
  "use strict";
  const SHOWN_FOR = 2000; // milliseconds

  // There before it speaks: a live region that appears together with its words is often not read out.
  const announcer = document.createElement("p");
  announcer.id = "copy-status";
  announcer.className = "visually-hidden";
  announcer.setAttribute("role", "status");
  document.body.append(announcer);

  // Without https there is no clipboard API, and a shop's laptop often serves plain http.
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
      return copyBySelection(text); // The browser refused the permission.
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
    answer(button, done ? "Copied" : "Could not copy: select the text and copy it by hand");
  });
})();
