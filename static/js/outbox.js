// <form data-send="table 12" data-send-result="2–0 (20–4)">: without a signal, store the submission on this device as
// "Unsent: table 12, 2–0 (20–4)". Send it once, with its idempotency key, when the signal is back. Without this script these forms are plain posts.
// <form data-needs-signal>: only report that there is no signal.
// The words are data attributes of the script element.
(function () {
  "use strict";
  const PREFIX = "datafort-outbox:";
  const TOLD = "datafort-told"; // messages for the next page
  const PATIENCE = 12 * 1000; // milliseconds until a request times out
  const LONGEST = 23 * 3600 * 1000; // milliseconds; the site stores a key for 24 hours
  const GOOD_NEWS = 10 * 60 * 1000; // milliseconds for which a successful submission is shown
  const TOAST = 6 * 1000; // milliseconds for which a confirmation is shown
  const KEY = "idempotency_key";
  const TOKEN = "csrfmiddlewaretoken";
  const SAID = "main .error-summary li:not(:has(a)), main .field__errors li, main .alert"; // errors of a refused form
  const words = document.currentScript.dataset;
  const reader = document.body.dataset.reader;
  const sent = new Map(); // key: body sent under it from this page
  let busy = false;

  function freshKey() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // --- Storage on this device: one item per submission, so that two tabs do not overwrite each other

  function keep(entry) {
    try {
      localStorage.setItem(PREFIX + entry.key, JSON.stringify(entry));
      return true;
    } catch (error) {
      return false; // Storage is blocked or full; the caller reports it.
    }
  }

  function throwAway(key) {
    localStorage.removeItem(PREFIX + key);
  }

  function stored() {
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
      return names.map((name) => JSON.parse(localStorage.getItem(name))).sort((one, other) => one.at - other.at);
    } catch (error) {
      return []; // Storage is blocked, so nothing was stored.
    }
  }

  function mine() {
    return stored().filter((entry) => entry.reader === reader);
  }

  // Delete old submissions of previous users of this device, which are too late to count.
  function forgetOthers() {
    const old = stored().filter((entry) => entry.reader !== reader && Date.now() - entry.at > LONGEST);
    old.forEach((entry) => throwAway(entry.key));
  }

  function waiting() {
    return mine().filter((entry) => !entry.told);
  }

  // Delete successful submissions after a while, or once the page state has changed: the report was confirmed or
  // decided, or a new round began. Refused submissions stay until the user dismisses them.
  function forgetGoodNews(state) {
    const good = mine().filter((entry) => entry.told && isGood(entry));
    const old = good.filter((entry) => !(Date.now() - entry.shownAt <= GOOD_NEWS) || (state && entry.state && entry.state !== state));
    old.forEach((entry) => throwAway(entry.key));
    if (state) {
      good.filter((entry) => !entry.state && !old.includes(entry)).forEach((entry) => keep({ ...entry, state }));
    }
    return old.length > 0;
  }

  function tidyUp(state) {
    if (forgetGoodNews(state)) {
      draw(mine());
    }
  }

  // State shown by a page from the site; undefined for a copy stored on the device.
  function pageState() {
    const isKeptCopy = "keptAt" in document.documentElement.dataset;
    return isKeptCopy ? undefined : document.querySelector("[data-page-state]")?.dataset.pageState;
  }

  // --- Sending

  // Return {told, next} for a JSON response, {page, url, status} for an HTML page, or null without a final response.
  async function post(entry) {
    const fields = new URLSearchParams(entry.body);
    const token = document.querySelector(`[name=${TOKEN}]`);
    if (token) {
      fields.set(TOKEN, token.value);
    }
    // Another tab may have logged in a different user: the site then refuses this submission.
    const headers = { "Idempotency-Key": entry.key, "Datafort-Reader": entry.reader, Accept: "application/json" };
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE);
    try {
      const answer = await fetch(entry.url, { method: "POST", headers, body: fields, signal: patience.signal });
      if (answer.status >= 500 || answer.status === 429) {
        return null; // Temporary error: try again later.
      }
      const isJson = (answer.headers.get("Content-Type") || "").startsWith("application/json");
      return isJson ? await answer.json() : { page: await answer.text(), url: answer.url, status: answer.status };
    } catch (error) {
      return null; // No signal, or a timeout.
    } finally {
      clearTimeout(timer);
    }
  }

  function entryOf(form, submitter) {
    const fields = new URLSearchParams(new FormData(form));
    if (submitter && submitter.name) {
      fields.append(submitter.name, submitter.value);
    }
    let key = fields.get(KEY) || freshKey();
    fields.delete(KEY);
    const said = new URLSearchParams(fields);
    said.delete(TOKEN);
    const body = said.toString();
    if (sent.has(key) && sent.get(key) !== body) {
      key = freshKey(); // Different content needs a new key.
      const field = form.elements.namedItem(KEY);
      if (field) {
        field.value = key;
      }
    }
    sent.set(key, body);
    const what = [form.dataset.send, form.dataset.sendResult || chosenIn(form)].filter(Boolean).join(", ");
    return { key, reader, url: form.action, body: fields.toString(), what, at: Date.now() };
  }

  function textOf(element) {
    return element ? element.textContent.replace(/\s+/g, " ").trim() : "";
  }

  // Describe the submission by the labels of the form, such as the reported result.
  function chosenIn(form) {
    const shown = [...form.elements].filter((field) => field.labels?.length && field.getClientRects().length > 0);
    const answered = shown.filter((field) => (field.type === "number" ? field.value !== "" : field.checked));
    return answered
      .map(function (field) {
        const label = textOf(field.labels[0]);
        const legend = field.type === "radio" ? field.closest("fieldset")?.querySelector("legend:not(.visually-hidden)") : null;
        return field.type === "number" ? `${label} ${field.value}` : [textOf(legend), label].filter(Boolean).join(" ");
      })
      .join("; ");
  }

  async function send(form, submitter) {
    if (form.hasAttribute("aria-busy")) {
      return; // Ignore a second tap while the request is running.
    }
    const entry = entryOf(form, submitter);
    form.setAttribute("aria-busy", "true");
    const answer = navigator.onLine ? await post(entry) : null;
    form.removeAttribute("aria-busy");
    if (answer === null) {
      queue(entry);
    } else if (answer.told) {
      forget(entry);
      tellAndGo(answer);
    } else {
      showPage(answer);
    }
  }

  // A later submission to the same address replaces earlier ones.
  function forget(entry) {
    waiting()
      .filter((older) => older.url === entry.url)
      .forEach((older) => throwAway(older.key));
  }

  function queue(entry) {
    forget(entry);
    if (!keep(entry)) {
      entry.told = [{ level: "error", text: words.notStored }];
      draw([entry]);
    } else {
      document.dispatchEvent(new CustomEvent("datafort:queued"));
      draw(mine());
    }
    document.getElementById("outbox").focus();
  }

  function tellAndGo(answer) {
    if (!answer.next) {
      showTold(answer.told);
      return;
    }
    try {
      sessionStorage.setItem(TOLD, JSON.stringify(answer.told));
    } catch (error) {
      console.info("The answer is not shown on the next page: storage is blocked.");
    }
    location.assign(answer.next);
  }

  // Show the returned form with its errors, or the error page.
  function showPage(answer) {
    const main = new DOMParser().parseFromString(answer.page, "text/html").querySelector("main");
    document.querySelector("main").replaceWith(main);
    document.dispatchEvent(new CustomEvent("datafort:shown"));
    draw(mine());
    (main.querySelector(".error-summary") || main).focus();
    window.scrollTo(0, 0);
  }

  function wordsOf(answer) {
    if (answer.told) {
      return answer.told;
    }
    const page = new DOMParser().parseFromString(answer.page, "text/html");
    const parts = [...page.querySelectorAll(SAID)].map((part) => part.textContent.trim());
    const text = [...new Set(parts)].join(" ") || words.noReason.replace("{status}", answer.status);
    return [{ level: "error", text }];
  }

  async function sendAll() {
    if (busy || reader === undefined || waiting().length === 0) {
      return;
    }
    busy = true;
    let changed = false;
    for (const entry of waiting()) {
      if (Date.now() - entry.at > LONGEST) {
        entry.told = [{ level: "error", text: words.tooLate }];
      } else {
        const answer = await post(entry);
        if (answer === null) {
          break;
        }
        entry.told = wordsOf(answer);
      }
      // Do not restore an entry that was discarded in the meantime.
      if (localStorage.getItem(PREFIX + entry.key)) {
        keep({ ...entry, body: "", shownAt: Date.now() });
      }
      changed = true;
    }
    busy = false;
    if (changed) {
      draw(mine());
      document.dispatchEvent(new CustomEvent("datafort:look"));
    }
  }

  // --- Display: the box of unsent submissions at the top of a page, and messages about submissions

  function clockTime(moment) {
    return new Date(moment).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }

  function isGood(entry) {
    return entry.told.every((message) => message.level !== "error");
  }

  function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text || "";
    return made;
  }

  function place() {
    return document.querySelector("main > .page") || document.querySelector("main");
  }

  function showTold(told) {
    const box = element("div", "messages");
    told.forEach(function (message) {
      const line = element("div", `alert toast alert--${message.level}`);
      const isError = message.level === "error";
      line.setAttribute("role", isError ? "alert" : "status");
      const close = element("button", "button button--quiet button--icon button--small", "×");
      close.type = "button";
      close.setAttribute("aria-label", words.close);
      close.addEventListener("click", () => line.remove());
      line.append(element("p", "", message.text), close);
      box.append(line);
      if (!isError) {
        setTimeout(() => line.remove(), TOAST);
      }
    });
    place().prepend(box);
  }

  function drawBox(entries, onDone) {
    document.getElementById("outbox")?.remove();
    if (entries.length === 0) {
      return;
    }
    const isWaiting = entries.some((entry) => !entry.told);
    const box = element("section", "outbox");
    box.id = "outbox";
    box.classList.toggle("outbox--sent", entries.every((entry) => entry.told && isGood(entry)));
    box.tabIndex = -1;
    box.setAttribute("role", "status");
    const list = element("ul", "outbox__list");
    entries.forEach((entry) => list.append(row(entry, onDone)));
    box.append(list);
    if (isWaiting) {
      box.append(element("p", "small", words.waiting));
    }
    place().prepend(box);
  }

  function titleOf(entry) {
    let title = words.unsent;
    if (entry.told) {
      title = isGood(entry) ? words.sent : words.refused;
    }
    return title.replace("{what}", () => entry.what);
  }

  function row(entry, onDone) {
    const line = element("li", "outbox__entry");
    const about = element("div", "outbox__words");
    about.append(element("strong", "", titleOf(entry)), element("span", "muted", ` ${clockTime(entry.at)}`));
    (entry.told || []).forEach((message) => about.append(element("p", `outbox__message outbox__message--${message.level}`, message.text)));
    const button = element("button", "button button--small", entry.told ? words.ok : words.discard);
    button.type = "button";
    button.append(element("span", "visually-hidden", `: ${entry.what}`));
    button.addEventListener("click", () => onDone(entry));
    line.append(about, button);
    return line;
  }

  function draw(entries) {
    drawBox(entries, function (entry) {
      throwAway(entry.key);
      draw(mine());
    });
  }

  function showStashed() {
    try {
      const told = sessionStorage.getItem(TOLD);
      sessionStorage.removeItem(TOLD);
      if (told) {
        showTold(JSON.parse(told));
      }
    } catch (error) {
      console.info("Storage is blocked: nothing waits to be shown.");
    }
  }

  document.addEventListener("submit", function (event) {
    if (event.target.dataset.send && reader !== undefined) {
      event.preventDefault();
      send(event.target, event.submitter);
    } else if (event.target.hasAttribute("data-needs-signal") && !navigator.onLine) {
      // The response is a page to work with, so it cannot be queued. The form keeps its input.
      event.preventDefault();
      showTold([{ level: "error", text: words.notSent }]);
    }
  });
  window.addEventListener("online", sendAll);
  document.addEventListener("datafort:answer", sendAll);
  // After a response the page may still show the old state.
  document.addEventListener("datafort:answer", () => tidyUp());
  document.addEventListener("datafort:fresh", () => tidyUp(pageState()));
  forgetOthers();
  forgetGoodNews(pageState());
  showStashed();
  draw(mine());
  sendAll();
})();
