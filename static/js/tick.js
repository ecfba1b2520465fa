// Check-in list: filter by typed text, and submit a tap immediately without losing focus.
(function () {
  "use strict";
  const search = document.querySelector("[data-tick-search]");
  const field = search.querySelector("input");
  const message = document.querySelector("[data-tick-message]");

  function lines() {
    return Array.from(document.querySelectorAll("[data-tick-name]"));
  }

  function fits(line, typed) {
    return line.dataset.tickNumber === typed || typed.split(/\s+/).every((word) => line.dataset.tickName.includes(word));
  }

  function narrow() {
    const typed = window.sortKey(field.value);
    const left = lines().filter(function (line) {
      line.hidden = typed !== "" && !fits(line, typed);
      return !line.hidden;
    });
    if (typed && left.length === 0) {
      message.textContent = message.dataset.nobody.replace("{name}", () => field.value.trim());
    }
    return left;
  }

  function show(button, answer) {
    const [on, off] = button.name === "paid" ? ["no", "yes"] : ["away", "here"];
    button.setAttribute("aria-pressed", String(answer.is_on));
    button.value = `${button.value.split(" ")[0]} ${answer.is_on ? on : off}`;
    document.querySelector(`[data-${button.name}-count]`).textContent = answer.count;
  }

  const queue = window.saveQueue();

  function send(button) {
    const { action } = button.form;
    const body = new FormData(button.form);
    body.set(button.name, button.value);
    button.setAttribute("aria-busy", "true");
    queue(() => post(button, action, body));
  }

  const LONGEST_ANSWER = 15000; // milliseconds; a lost connection may hang for minutes

  async function post(button, action, body) {
    try {
      const answer = await fetch(action, { method: "POST", body, headers: { "X-Fragment": "1" }, credentials: "same-origin", signal: AbortSignal.timeout(LONGEST_ANSWER) });
      if (answer.status === 401) {
        message.textContent = await answer.text();
        return;
      }
      if (!answer.ok && answer.status !== 409) {
        throw new Error(`The site answered ${answer.status}.`);
      }
      const result = await answer.json();
      // The list may have been refreshed since the request.
      show(document.getElementById(button.id) || button, result);
      message.textContent = result.words;
      document.dispatchEvent(new CustomEvent("datafort:look"));
    } catch (error) {
      message.textContent = message.dataset.lost.replace("{player}", () => button.closest("li").querySelector("bdi").textContent);
    } finally {
      button.removeAttribute("aria-busy");
    }
  }

  document.addEventListener("submit", function (event) {
    const button = event.submitter;
    if (button && button.classList.contains("tick")) {
      event.preventDefault();
      if (!button.hasAttribute("aria-busy")) {
        send(button);
      }
    }
  });

  field.addEventListener("input", function () {
    message.textContent = "";
    narrow();
  });
  field.addEventListener("keydown", function (event) {
    if (event.key !== "Enter") {
      return;
    }
    event.preventDefault();
    const waiting = narrow().map((line) => line.querySelector("button"));
    const next = waiting.find((button) => button.getAttribute("aria-pressed") === "false" && !button.hasAttribute("aria-busy"));
    if (field.value.trim() && next) {
      send(next);
      field.select();
    }
  });
  document.addEventListener("datafort:fresh", function () {
    narrow();
    // The next step below the list shows the same count.
    document.dispatchEvent(new CustomEvent("datafort:look"));
  });
})();
