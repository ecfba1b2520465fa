// Report page: select the result named in the address, also on a page stored on the device or held in memory, and
// hide the other results until the player selects "Choose a different result" (data-choose-again).
// Show the match points as numbers are typed, and name the result for outbox.js: "2–0 (20–4)".
(function () {
  "use strict";

  function choose(form, address) {
    const code = new URL(address).searchParams.get("code");
    const wanted = [...form.querySelectorAll("[name=code]")].find((choice) => choice.value === (code || ""));
    // Leave a form that was returned with errors as it was submitted.
    if (wanted && !form.querySelector(".error-summary") && (code !== null || isKept(form))) {
      wanted.checked = true;
      form.classList.toggle("report--chosen", code !== null);
    }
  }

  // A stored or held form may have a different selection than the address names.
  function isKept(form) {
    return Boolean(document.documentElement.dataset.keptAt || form.closest("[data-held]"));
  }

  function isShown(element) {
    return element.getClientRects().length > 0;
  }

  function showTotal(form) {
    const output = form.querySelector("[data-usual-total]");
    const chosen = form.querySelector("[data-usual-points]:has(:checked)");
    const asked = [...form.querySelectorAll(".field[data-of]")].filter(isShown);
    const isTyped = asked.length > 0 && asked.every((field) => field.querySelector("input").value !== "");
    const sum = (who) => asked.filter((field) => field.dataset.of === who).reduce((all, field) => all + Number(field.querySelector("input").value), 0);
    delete form.dataset.sendResult;
    output.textContent = "";
    if (!chosen || asked.length > 0 && !isTyped) {
      return;
    }
    const [mine, theirs] = chosen.dataset.usualPoints.split(" ").map(Number);
    const score = chosen.querySelector(".usual__score").textContent;
    const points = `${mine + sum("me")}–${theirs + sum("them")}`;
    form.dataset.sendResult = score === points ? score : `${score} (${points})`;
    if (isTyped) {
      const totals = { "{mine}": mine + sum("me"), "{theirs}": theirs + sum("them") };
      output.textContent = output.dataset.usualTotal.replace(/{mine}|{theirs}/g, (word) => totals[word]);
    }
  }

  function begin(form, address) {
    if (form) {
      choose(form, address);
      showTotal(form);
    }
  }

  document.addEventListener("input", function (event) {
    const form = event.target.closest("form.report");
    if (form) {
      showTotal(form);
    }
  });
  document.addEventListener("click", function (event) {
    const button = event.target.closest("[data-choose-again]");
    if (button) {
      const form = button.closest("form.report");
      form.classList.remove("report--chosen");
      form.querySelector("[name=code]:checked").focus();
    }
  });
  document.addEventListener("datafort:held", (event) => begin(document.querySelector("[data-held] form.report"), event.detail.address));
  // Leave the selection of a returned form unchanged.
  document.addEventListener("datafort:shown", () => document.querySelectorAll("form.report").forEach(showTotal));
  begin(document.querySelector("form.report"), location.href);
})();
