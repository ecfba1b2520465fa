// Quick-entry line above the result entry: it takes a table number and a code, chooses the result of that table and
// saves it. The points that a code requires are typed in the card of the table. After every save, error or lost
// connection the focus is set, but never taken away while the user is typing.
(function () {
  "use strict";
  const { list, CODES, cardOf, cardAt, numberOf, formOf, asked, isOpen, namesOf, mark, focusOn, entrance, nextOpen, choose, open } = window.resultCards;
  const page = document.querySelector("[data-entry]");
  const line = page.querySelector("[data-line]");
  const table = page.querySelector("#entry-table");
  const code = page.querySelector("#entry-code");
  const lock = page.querySelector("#entry-lock");
  const who = page.querySelector("#entry-who");
  const said = page.querySelector("[data-message]");
  const undo = page.querySelector("[data-undo-last]");

  let chosen = null; // Number of the table whose code is being typed.
  let replacing = null; // Number of a settled table, selected once; a second Enter opens it.
  let locked = null; // {keys, numbers} of the result that is applied to every table.
  let isJustSaved = false; // The last digit of a code saves it, so ignore an Enter right after it.
  const asking = new Map(); // By table: keys of the code whose points are being typed.
  const fromLine = new Set(); // Tables saved from the line: focus returns to it afterwards.

  function tell(words, isBad = false) {
    said.classList.toggle("is-bad", isBad);
    said.textContent = words;
  }

  // Show the players of the chosen table and its penalties, or the locked result.
  function tellWho(card) {
    const parts = locked ? [CODES[locked.keys]?.[0], locked.numbers.join(" ")].filter(Boolean) : [];
    const penalties = card ? Array.from(card.querySelectorAll(".game-lost"), (badge) => badge.textContent.trim()) : [];
    who.textContent = card ? [`Table ${numberOf(card)}: ${namesOf(card).join(", ")}.`, ...penalties].join(" ") : locked ? `Locked: ${parts.join("; ")}` : "";
    code.disabled = Boolean(locked);
  }

  function backToLine() {
    chosen = null;
    tellWho(null);
    table.value = "";
    code.value = "";
    mark(null);
    table.focus();
  }

  function refuse(field, words) {
    tell(words, true);
    field.focus();
    field.select();
  }

  function chooseTable() {
    const number = table.value.trim();
    const card = cardAt(number);
    if (!number && isJustSaved) {
      isJustSaved = false;
    } else if (!card) {
      refuse(table, number ? `There is no table ${number} in this round.` : "Type the number of a table.");
    } else if (!formOf(card) && replacing !== number) {
      replacing = number;
      refuse(table, `Table ${number} has a result: ${card.querySelector("ul").textContent.replace(/\s+/g, " ").trim()}. Press Enter again to change it.`);
    } else if (!formOf(card)) {
      openCard(card);
    } else if (locked) {
      fill(card, locked);
    } else {
      chosen = number;
      mark(card);
      tellWho(card);
      tell("");
      code.value = "";
      code.focus();
    }
  }

  // The code may be typed before the answer is there.
  function openCard(card) {
    chosen = numberOf(card);
    tellWho(card);
    code.value = "";
    code.focus();
    open(card);
  }

  function takeCode() {
    const card = chosen === null ? null : cardAt(chosen);
    const typed = code.value.trim().toLowerCase();
    if (!card) {
      chooseTable();
    } else if (!typed) {
      focusOn(entrance(card));
    } else if (Object.keys(CODES).length) {
      refuse(code, `“${typed}” is not a code. The codes are listed under “?”.`);
    } else {
      takeNumbers(card, typed.match(/\d+/g) || []);
    }
  }

  // A code is complete with its digit.
  function takeWholeCode() {
    const typed = code.value.trim().toLowerCase();
    const card = chosen === null ? null : cardAt(chosen);
    if (!(typed in CODES) || !card || !formOf(card)) {
      return;
    }
    if (!card.querySelector("[name$='-code']")) {
      refuse(table, `The sides of table ${numberOf(card)} are not chosen yet.`);
    } else {
      fill(card, { keys: typed, numbers: null });
    }
  }

  function takeNumbers(card, numbers) {
    const seats = asked(card).length;
    if (numbers.length === seats) {
      fill(card, { keys: "", numbers });
    } else {
      refuse(code, `Table ${numberOf(card)} needs ${seats} numbers, not ${numbers.length}.`);
    }
  }

  // Choosing and saving

  function fill(card, { keys, numbers }) {
    if (keys) {
      choose(card, keys);
    }
    const fields = asked(card);
    fields.forEach((field) => (field.value = ""));
    if (numbers && numbers.length !== fields.length) {
      refuse(table, `The locked result does not fit table ${numberOf(card)}. Press L to remove the lock.`);
      return;
    }
    (numbers || []).forEach((number, place) => (fields[place].value = number));
    asking.set(numberOf(card), keys);
    askOrSave(card);
  }

  // Focus the first field that is still empty, or save if there is none.
  function askOrSave(card) {
    const empty = asked(card).find((field) => field.value.trim() === "");
    if (empty) {
      mark(card);
      focusOn(empty);
    } else {
      save(card);
    }
  }

  function save(card) {
    const number = numberOf(card);
    const keys = asking.get(number);
    asking.delete(number);
    replacing = null;
    if (lock.checked && !locked) {
      locked = { keys, numbers: asked(card).map((field) => field.value) };
    }
    fromLine.add(number);
    tell(`Saving table ${number}…`);
    formOf(card).requestSubmit();
    backToLine();
    isJustSaved = true;
  }

  // Keys

  // Only for cards filled in by a code; result_cards.js handles the rest.
  function onKeyInCard(event) {
    const card = cardOf(event.target);
    if (!card || !asking.has(numberOf(card)) || event.target.matches("button, a")) {
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.target.value.trim() === "" && event.target.matches("[data-asked]")) {
        tell(`Table ${numberOf(card)}: type the agenda points, 0 if there were none.`, true);
      } else {
        askOrSave(card);
      }
    } else if (event.key === "Escape") {
      asking.delete(numberOf(card));
      formOf(card).reset();
      card.querySelectorAll(".asked").forEach((label) => label.remove());
      delete card.dataset.dirty;
      tell(`Table ${numberOf(card)} was not changed.`);
      backToLine();
    }
  }

  function onKeyInLine(event) {
    const isOut = event.key === "Escape" || (event.key === "Backspace" && !code.value);
    const letter = event.ctrlKey || event.metaKey || event.altKey ? "" : event.key.toLowerCase();
    if (letter === "l" || (letter === "u" && !undo.hidden)) {
      event.preventDefault();
      (letter === "l" ? lock : undo).click();
    } else if (event.target === code && isOut) {
      event.preventDefault();
      chosen = null;
      tellWho(null);
      table.focus();
      table.select();
    }
  }

  // Responses

  function tellWaiting() {
    const waiting = Array.from(list.children).filter(isOpen).length;
    document.getElementById("waiting").textContent = waiting;
    document.querySelector("[data-waiting]").hidden = waiting === 0;
    document.querySelector("[data-all-in]").hidden = waiting > 0;
    if (waiting === 0) {
      // The next step of the event has changed: poll immediately.
      document.dispatchEvent(new CustomEvent("datafort:look"));
    }
  }

  function isFocusLost() {
    return document.activeElement === null || document.activeElement === document.body;
  }

  function onRefused(card) {
    const words = card.querySelector("[role='alert']").textContent.replace(/\s+/g, " ").trim();
    tell(`Table ${numberOf(card)} is not saved: ${words}`, true);
    // Leave the focus if the user is already typing the next table.
    if (isFocusLost() || (!table.value && !code.value && !asking.size)) {
      focusOn(entrance(card));
    }
  }

  function onSaved(card) {
    tell(card.querySelector("[data-said]").textContent);
    undo.hidden = !card.querySelector("[data-undo]");
    undo.querySelector("[data-undo-of]").textContent = numberOf(card);
    const isLost = isFocusLost() || card.contains(document.activeElement);
    if (fromLine.delete(numberOf(card)) && isLost) {
      table.focus();
    } else if (isLost) {
      const next = isOpen(card) ? card : nextOpen(card);
      focusOn(next ? entrance(next) : table);
    }
  }

  // The line tells of the next table soon, so the card says it too.
  function onLost(event) {
    const card = event.target.closest ? cardOf(event.target) : null;
    if (card) {
      const { status, responseText } = event.detail.xhr;
      const what = event.detail.requestConfig.verb === "get" ? "not opened" : "not saved";
      const words = `Table ${numberOf(card)} is ${what}: ${status === 401 ? responseText : "no answer from the site. Try again."}`;
      tell(words, true);
      const notice = document.createElement("p");
      notice.className = "score-card__refusal";
      notice.dataset.lost = "";
      notice.textContent = words;
      card.append(notice);
    }
  }

  line.addEventListener("submit", function (event) {
    event.preventDefault();
    (chosen !== null && document.activeElement !== table ? takeCode : chooseTable)();
  });
  line.addEventListener("keydown", onKeyInLine);
  code.addEventListener("input", takeWholeCode);
  table.addEventListener("input", function () {
    isJustSaved = false;
  });
  undo.addEventListener("click", function () {
    const number = undo.querySelector("[data-undo-of]").textContent;
    const button = cardAt(number).querySelector("[data-undo]");
    undo.hidden = true;
    table.focus();
    if (button) {
      fromLine.add(number);
      button.click();
    } else {
      tell(`Table ${number} has changed since. Check its card.`, true);
    }
  });
  lock.addEventListener("change", function () {
    locked = null;
    tellWho(chosen === null ? null : cardAt(chosen));
    tell(lock.checked ? "Score lock: the next result counts for every table after it." : "The score lock is off.");
  });
  list.addEventListener("keydown", onKeyInCard, { capture: true });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && !event.target.matches("input[type='text'], textarea")) {
      event.preventDefault();
      focusOn(table);
    }
  });
  document.addEventListener("datafort:card", function (event) {
    const { card } = event.detail;
    if ("refused" in card.dataset) {
      onRefused(card);
    } else if (card.querySelector("[data-said]")) {
      onSaved(card);
    } else if (numberOf(card) === chosen) {
      mark(card);
      takeWholeCode();
    } else if (isFocusLost() || !table.value) {
      focusOn(entrance(card)); // Opened, or closed without a change.
    }
    tellWaiting();
  });
  // A link to a table preselects it. On touch devices the on-screen keyboard should not open unasked.
  const linked = /^#table-(\d+)$/.exec(window.location.hash);
  mark(linked ? cardAt(linked[1]) : null);
  if (!window.matchMedia("(pointer: coarse)").matches) {
    table.value = linked ? linked[1] : "";
    table.focus({ preventScroll: Boolean(linked) });
  }
  ["htmx:sendError", "htmx:responseError"].forEach((name) => document.addEventListener(name, onLost));
  document.addEventListener("datafort:fresh-cards", tellWaiting);
})();
