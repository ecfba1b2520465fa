// Quick-entry line above the result entry: it takes a table number and a code, fills in the table's row and saves it.
// Fields that the code leaves open are entered in the row. After every save, error or lost connection the focus is set,
// but never taken away while the user is typing.
(function () {
  "use strict";
  const { entry, rowOf, rowAt, numberOf, formOf, fieldOf, needed, namesOf, mark, focusOn, goTo, nextOpen } = window.resultRows;
  const page = document.querySelector("[data-entry]");
  if (!page || !entry) {
    return;
  }
  const FILLS = JSON.parse(document.getElementById("entry-fills").textContent);
  const line = page.querySelector("[data-line]");
  const table = page.querySelector("#entry-table");
  const code = page.querySelector("#entry-code");
  const lock = page.querySelector("#entry-lock");
  const who = page.querySelector("#entry-who");
  const said = page.querySelector("[data-message]");
  const undo = page.querySelector("[data-undo-last]");

  let chosen = null; // Number of the table whose code is being typed.
  let replacing = null; // Number of a settled table, selected once; a second Enter confirms the change.
  let locked = null; // {keys, numbers} of the result that is applied to every table.
  let isJustSaved = false; // The last digit of a code saves it, so ignore an Enter right after it.
  const asking = new Map(); // By table: {keys, names} of the fields that the code left open.
  const fromLine = new Set(); // Tables saved from the line: focus returns to it afterwards.

  function tell(words, isBad = false) {
    said.classList.toggle("is-bad", isBad);
    said.textContent = words;
  }

  // Effects of penalties at a table: "Game loss: Ada (game 1)".
  function lostIn(row) {
    return Array.from(row.querySelectorAll(".game-lost"), function (mark) {
      const game = mark.closest("[data-game]")?.dataset.game;
      return mark.textContent.replace(/\s+/g, " ").trim() + (game ? ` (game ${game})` : "");
    });
  }

  // Show the players of the chosen table, or the locked result.
  function tellWho(row) {
    const fields = locked ? [FILLS[locked.keys]?.words, locked.numbers.join(" ")].filter(Boolean) : [];
    const words = locked ? `Locked: ${fields.join("; ")}` : "";
    who.textContent = row ? [`Table ${numberOf(row)}: ${namesOf(row)}`, ...lostIn(row)].join(". ") : words;
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
    const row = rowAt(number);
    if (!number && isJustSaved) {
      isJustSaved = false;
    } else if (!row) {
      refuse(table, number ? `There is no table ${number} in this round.` : "Type the number of a table.");
    } else if (needed(row).length === 0) {
      refuse(table, `Table ${number} is decided by a penalty. Nothing is left to enter.`);
    } else if ("settled" in row.dataset && replacing !== number) {
      replacing = number;
      refuse(table, `Table ${number} has a result: ${namesOf(row)}. Enter again to change it.`);
    } else if (locked) {
      fill(row, locked);
    } else {
      chosen = number;
      mark(row);
      tellWho(row);
      tell("");
      code.value = "";
      code.focus();
    }
  }

  function takeCode() {
    const row = chosen === null ? null : rowAt(chosen);
    const typed = code.value.trim().toLowerCase();
    if (!row) {
      chooseTable();
    } else if (!typed) {
      goTo(row);
    } else if (Object.keys(FILLS).length) {
      refuse(code, `“${typed}” is no code. The codes are listed below.`);
    } else {
      takeNumbers(row, typed.match(/\d+/g) || []);
    }
  }

  function takeNumbers(row, numbers) {
    const seats = needed(row).length;
    if (numbers.length === seats) {
      fill(row, { keys: "", numbers });
    } else {
      refuse(code, `Table ${numberOf(row)} has ${seats} seats, and ${numbers.length} numbers are typed.`);
    }
  }

  // Filling in and saving

  function empty(row) {
    for (const field of formOf(row).elements) {
      if (field.disabled) {
        continue; // A penalty has decided it.
      } else if (field.type === "checkbox") {
        field.checked = false;
      } else if (field.tagName === "SELECT" && !field.name.includes("-faction_")) {
        field.selectedIndex = 0;
      } else if (field.tagName === "INPUT" && field.type !== "hidden") {
        field.value = "";
      }
    }
  }

  function write(field, value) {
    if (field.disabled) {
      return; // A penalty has decided it.
    }
    if (field.type === "checkbox") {
      field.checked = true;
    } else {
      field.value = value;
    }
  }

  function openNames(row, keys) {
    return keys ? FILLS[keys].asks.filter((name) => !fieldOf(row, name).disabled) : needed(row).map((field) => field.name.slice(formOf(row).id.length + 1));
  }

  function fill(row, { keys, numbers }) {
    const names = openNames(row, keys);
    if (numbers && numbers.length !== names.length) {
      refuse(table, `The locked result does not fit table ${numberOf(row)}. Take the lock off with L.`);
      return;
    }
    empty(row);
    Object.entries(keys ? FILLS[keys].values : {}).forEach(([name, value]) => write(fieldOf(row, name), value));
    (numbers || []).forEach((number, place) => write(fieldOf(row, names[place]), number));
    row.dataset.dirty = "";
    asking.set(numberOf(row), { keys, names });
    askOrSave(row);
  }

  // Focus the first field that is still open, or save if there is none.
  function askOrSave(row) {
    const { keys, names } = asking.get(numberOf(row));
    const open = names.map((name) => fieldOf(row, name)).find((field) => field.value.trim() === "");
    if (open) {
      mark(row);
      focusOn(open);
    } else if (!formOf(row).reportValidity()) {
      tell(`Table ${numberOf(row)} is not saved yet: look at the field that is marked.`, true);
    } else {
      save(row, keys, names);
    }
  }

  function save(row, keys, names) {
    const number = numberOf(row);
    asking.delete(number);
    replacing = null;
    if (lock.checked && !locked) {
      locked = { keys, numbers: names.map((name) => fieldOf(row, name).value) };
    }
    fromLine.add(number);
    tell(`Saving table ${number} ...`);
    formOf(row).requestSubmit();
    backToLine();
    isJustSaved = true;
  }

  // Keys

  function onEnterInAsked(row, field) {
    const { names } = asking.get(numberOf(row));
    if (field.value.trim() === "" && names.some((name) => fieldOf(row, name) === field)) {
      tell(`Table ${numberOf(row)}: type the agenda points, 0 if there were none.`, true);
    } else {
      askOrSave(row);
    }
  }

  // Only for rows filled in by a code; result_keys.js handles the rest.
  function onKeyInRow(event) {
    const row = rowOf(event.target);
    if (!row || !asking.has(numberOf(row)) || event.target.matches("button, a")) {
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      event.stopImmediatePropagation();
      onEnterInAsked(row, event.target);
    } else if (event.key === "Escape") {
      asking.delete(numberOf(row));
      formOf(row).reset();
      delete row.dataset.dirty;
      tell(`Table ${numberOf(row)} is left as it was.`);
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
      backToLine();
    }
  }

  // Responses

  function tellWaiting() {
    const waiting = entry.querySelectorAll("[data-table]:not([data-settled])").length;
    document.getElementById("waiting").textContent = waiting;
    document.querySelector("[data-waiting]").hidden = waiting === 0;
    document.querySelector("[data-all-in]").hidden = waiting > 0;
    if (waiting === 0) {
      // The next step of the event has changed: poll immediately.
      document.dispatchEvent(new CustomEvent("datafort:look"));
    }
  }

  function onRefused(row) {
    const words = row.querySelector("[role='alert']").textContent.replace(/\s+/g, " ").trim();
    tell(`Table ${numberOf(row)} is not saved: ${words}`, true);
    // Leave the focus if the user is already typing the next table.
    if (!table.value && !code.value && !asking.size) {
      goTo(row);
    }
  }

  function onSaved(row) {
    tell(row.querySelector("[data-said]").textContent);
    undo.hidden = !row.querySelector("[data-undo]");
    undo.querySelector("[data-undo-of]").textContent = numberOf(row);
    const at = document.activeElement;
    const isLost = at === null || at === document.body || row.contains(at);
    if (fromLine.delete(numberOf(row)) && isLost) {
      table.focus();
    } else if (isLost) {
      const next = nextOpen(row);
      focusOn(next ? needed(next)[0] : table);
    }
  }

  function onLost(event) {
    const row = event.target.closest ? rowOf(event.target) : null;
    if (row) {
      const { status, responseText } = event.detail.xhr;
      tell(`Table ${numberOf(row)} is not saved: ${status === 401 ? responseText : "no answer from the site. Enter it again."}`, true);
    }
  }

  line.addEventListener("submit", function (event) {
    event.preventDefault();
    (chosen !== null && document.activeElement !== table ? takeCode : chooseTable)();
  });
  line.addEventListener("keydown", onKeyInLine);
  code.addEventListener("input", function () {
    const typed = code.value.trim().toLowerCase();
    if (chosen !== null && typed in FILLS) {
      fill(rowAt(chosen), { keys: typed, numbers: null });
    }
  });
  table.addEventListener("input", function () {
    isJustSaved = false;
  });
  undo.addEventListener("click", function () {
    const number = undo.querySelector("[data-undo-of]").textContent;
    const way = rowAt(number).querySelector("[data-undo]");
    undo.hidden = true;
    table.focus();
    if (way) {
      fromLine.add(number);
      way.requestSubmit();
    } else {
      tell(`Table ${number} was changed since. Look at its row.`, true);
    }
  });
  lock.addEventListener("change", function () {
    locked = null;
    tellWho(chosen === null ? null : rowAt(chosen));
    tell(lock.checked ? "Score lock: the next result counts for every table after it." : "The score lock is off.");
  });
  entry.addEventListener("keydown", onKeyInRow);
  document.addEventListener("htmx:afterSettle", function (event) {
    const row = event.target.closest ? rowOf(event.target) : null;
    if (row) {
      ("refused" in row.dataset ? onRefused : onSaved)(row);
      tellWaiting();
    }
  });
  // A link to a table preselects it. On touch devices the on-screen keyboard should not open unasked.
  const asked = /^#table-(\d+)$/.exec(window.location.hash);
  if (!window.matchMedia("(pointer: coarse)").matches) {
    table.value = asked ? asked[1] : "";
    table.focus({ preventScroll: Boolean(asked) });
  }
  ["htmx:sendError", "htmx:responseError"].forEach((name) => document.addEventListener(name, onLost));
  document.addEventListener("datafort:rows", tellWaiting);
})();
