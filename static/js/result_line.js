// Quick-entry line above the result entry: it takes a table number and a code, chooses the result of that table and
// saves it. The points that a code requires are typed in the card of the table. After every save, error or lost
// connection the focus is set, but never taken away while the user is typing.
(function () {
  "use strict";
  const { list, CODES, text, cardOf, cardAt, numberOf, formOf, asked, isOpen, lacksResult, namesOf, mark, focusOn, entrance, nextOpen, choose, open } = window.resultCards;
  const page = document.querySelector("[data-entry]");
  const line = page.querySelector("[data-line]");
  const table = page.querySelector("#entry-table");
  const code = page.querySelector("#entry-code");
  const repeat = page.querySelector("#entry-repeat");
  const who = page.querySelector("#entry-who");
  const said = page.querySelector("[data-message]");
  const undo = page.querySelector("[data-undo-last]");

  const SCORE_TIME = 1500; // milliseconds in which a score is typed

  let chosen = null; // Number of the table whose code is being typed.
  let replacing = null; // Number of a settled table, selected once; a second Enter opens it.
  let repeated = null; // {keys, numbers} of the result that is saved for every table.
  let isJustSaved = false; // The last digit of a code saves it, so ignore an Enter right after it.
  let isScoreTyped = false; // Keep the warning until the save is answered.
  let codeAt = -Infinity; // Time at which the last code was complete.
  // The line is hidden in a round with a single table.
  const home = line.hidden ? said : table;
  const asking = new Map(); // By table: keys of the code whose points are being typed.
  const fromLine = new Set(); // Tables saved from the line: focus returns to it afterwards.

  function tell(words, isBad = false) {
    said.classList.toggle("is-bad", isBad);
    said.textContent = words;
  }

  function forgetRefusal() {
    if (said.classList.contains("is-bad")) {
      tell("");
    }
  }

  // Show the players of the chosen table and its penalties, or the result that is repeated.
  function tellWho(card) {
    who.textContent = "";
    if (card) {
      const penalties = Array.from(card.querySelectorAll(".game-lost"), (badge) => badge.textContent.trim());
      who.textContent = [text("players", { table: numberOf(card), players: namesOf(card).join(", ") }), ...penalties].join(" ");
    } else if (repeated) {
      const parts = [CODES[repeated.keys]?.[0], repeated.numbers.join(" ")];
      who.textContent = text("repeated", { result: parts.filter(Boolean).join("; ") });
    }
    code.disabled = Boolean(repeated);
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

  // After Tab, the code is typed before the table is chosen: keep it.
  function chooseTable() {
    const number = table.value.trim();
    const card = cardAt(number);
    const isInCode = document.activeElement === code;
    if (!isInCode) {
      code.value = "";
    }
    if (!number && isJustSaved) {
      isJustSaved = false;
    } else if (!card) {
      refuse(table, text(number ? "no_table" : "number_missing", { table: number }));
    } else if (card.querySelector("[data-sides]")) {
      refuse(table, text("sides_open", { table: number }));
    } else if (!formOf(card) && replacing !== number) {
      replacing = number;
      const result = Array.from(card.querySelectorAll("li:not(.score-card__round)"), (item) => item.textContent.trim()).join(", ");
      refuse(isInCode ? code : table, text("has_result", { table: number, result }));
    } else if (!formOf(card)) {
      openCard(card);
    } else if (repeated) {
      fill(card, repeated);
    } else {
      chosen = number;
      mark(card);
      tellWho(card);
      tell("");
      code.focus();
    }
  }

  // The code may be typed before the answer is there.
  function openCard(card) {
    chosen = numberOf(card);
    tellWho(card);
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
      refuse(code, text("no_code", { code: typed }));
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
    codeAt = performance.now();
    fill(card, { keys: typed, numbers: null });
  }

  function takeNumbers(card, numbers) {
    const needed = asked(card).length;
    if (numbers.length === needed) {
      fill(card, { keys: "", numbers });
    } else {
      refuse(code, text("wrong_count", { table: numberOf(card), needed, typed: numbers.length }));
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
      refuse(table, text("does_not_fit", { table: numberOf(card) }));
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
    if (repeat.checked && !repeated) {
      repeated = { keys, numbers: asked(card).map((field) => field.value) };
    }
    fromLine.add(number);
    tell(text("saving", { table: number }));
    formOf(card).requestSubmit();
    backToLine();
    isJustSaved = true;
  }

  // Keys

  // "2-0" is a score: its first digit was taken for a code.
  function isScore(event) {
    return /^[-–:]$/.test(event.key) && event.target.value === "" && performance.now() - codeAt < SCORE_TIME;
  }

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
        tell(text("points_missing", { table: numberOf(card) }));
      } else {
        askOrSave(card);
      }
    } else if (event.key === "Escape" || isScore(event)) {
      event.preventDefault();
      asking.delete(numberOf(card));
      formOf(card).reset();
      card.querySelectorAll(".asked").forEach((label) => label.remove());
      delete card.dataset.dirty;
      if (event.key === "Escape") {
        tell(text("unchanged", { table: numberOf(card) }));
        backToLine();
      } else {
        backToLine();
        table.value = numberOf(card);
        chooseTable();
        tell(text("score", {}), true);
      }
    }
  }

  function onKeyInLine(event) {
    const isOut = event.key === "Escape" || (event.key === "Backspace" && !code.value);
    const letter = event.ctrlKey || event.metaKey || event.altKey ? "" : event.key.toLowerCase();
    if (event.target === table && isScore(event)) {
      event.preventDefault();
      isScoreTyped = fromLine.size > 0;
      tell(text("score_saved", {}), true);
    } else if (letter === "r" || (letter === "u" && !undo.hidden)) {
      event.preventDefault();
      (letter === "r" ? repeat : undo).click();
    } else if (event.target === code && isOut) {
      event.preventDefault();
      chosen = null;
      tellWho(null);
      table.focus();
      table.select();
    }
  }

  // Responses

  // Results that are missing, wait for the answer of an opponent, or are disputed.
  function showCounts() {
    const open = Array.from(list.children).filter(isOpen);
    for (const part of document.querySelectorAll("[data-count]")) {
      const count = open.filter((card) => (card.dataset.state || "open") === part.dataset.count).length;
      part.querySelector("strong").textContent = count;
      part.hidden = count === 0;
    }
    document.querySelector("[data-all-in]").hidden = open.length > 0;
    if (!open.some(lacksResult)) {
      // The next step of the event has changed: poll immediately.
      document.dispatchEvent(new CustomEvent("datafort:look"));
    }
  }

  function isFocusLost() {
    return document.activeElement === null || document.activeElement === document.body;
  }

  function onRefused(card) {
    const words = card.querySelector("[role='alert']").textContent.replace(/\s+/g, " ").trim();
    tell(text("not_saved", { table: numberOf(card), reason: words }), true);
    // Leave the focus if the user is already typing the next table.
    if (isFocusLost() || (!table.value && !code.value && !asking.size)) {
      const field = entrance(card);
      focusOn(field);
      if (field.matches("[aria-invalid='true']")) {
        tell(text("not_saved_yet", { table: numberOf(card) }), true); // The card gives the reason.
      }
    }
  }

  function onSaved(card) {
    const { said: saved } = card.dataset;
    tell(isScoreTyped ? `${saved} ${text("score_saved", {})}` : saved, isScoreTyped);
    isScoreTyped = false;
    undo.hidden = line.hidden || !card.querySelector("[data-undo]");
    undo.querySelector("[data-undo-of]").textContent = numberOf(card);
    const isLost = isFocusLost() || card.contains(document.activeElement);
    if (fromLine.delete(numberOf(card)) && isLost) {
      table.focus();
    } else if (isLost) {
      chosen = null;
      tellWho(null);
      table.value = "";
      code.value = "";
      const next = lacksResult(card) ? card : nextOpen(card);
      focusOn(next ? entrance(next) : home);
    }
  }

  // The line soon shows the next table, so repeat the error on the card.
  function onLost(event) {
    const card = event.target.closest ? cardOf(event.target) : null;
    if (card) {
      const { status, responseText } = event.detail.xhr;
      const key = event.detail.requestConfig.verb === "get" ? "not_opened" : "not_saved";
      const words = text(key, { table: numberOf(card), reason: status === 401 ? responseText : text("no_answer") });
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
    if (chosen !== null && document.activeElement !== table) {
      takeCode();
      return;
    }
    chooseTable();
    takeWholeCode();
    const typed = code.value.trim().toLowerCase();
    if (chosen !== null && formOf(cardAt(chosen)) && typed && !(typed in CODES)) {
      takeCode();
    }
  });
  line.addEventListener("keydown", onKeyInLine);
  code.addEventListener("input", function () {
    if (chosen === null && code.value.trim().toLowerCase() in CODES) {
      chooseTable();
    }
    takeWholeCode();
  });
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
      tell(text("changed_since", { table: number }), true);
    }
  });
  repeat.addEventListener("change", function () {
    repeated = null;
    tellWho(chosen === null ? null : cardAt(chosen));
    tell(text(repeat.checked ? "repeat_on" : "repeat_off"));
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
    } else if ("said" in card.dataset) {
      onSaved(card);
    } else if (numberOf(card) === chosen) {
      forgetRefusal();
      mark(card);
      takeWholeCode();
    } else if (isFocusLost() || !table.value) {
      forgetRefusal();
      focusOn(entrance(card)); // Opened, or closed without a change.
    }
    showCounts();
  });
  // A link to a table preselects it. On touch devices the on-screen keyboard should not open unasked.
  const linked = /^#table-(\d+)$/.exec(window.location.hash);
  mark(linked ? cardAt(linked[1]) : null);
  if (!window.matchMedia("(pointer: coarse)").matches) {
    table.value = linked ? linked[1] : "";
    (line.hidden ? entrance(list.firstElementChild) : table).focus({ preventScroll: Boolean(linked) });
  }
  ["htmx:sendError", "htmx:timeout", "htmx:responseError"].forEach((name) => document.addEventListener(name, onLost));
  document.addEventListener("datafort:fresh-cards", showCounts);
})();
