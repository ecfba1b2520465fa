// The tables of the result entry. Choosing a result shows the fields that it requires; Enter moves through them and
// saves. Forms and links of a table replace the table alone, except in a closed round, where saving shows a
// page with the effects. "datafort:card" {card, number} tells of every table that was replaced after a request.
window.resultCards = (function () {
  "use strict";
  const list = document.querySelector("[data-score-cards]");
  const CODES = JSON.parse(document.getElementById("entry-codes").textContent); // {keys: [words, names of fields, drawn games]}
  const TEXTS = JSON.parse(document.getElementById("entry-texts").textContent);
  const template = document.getElementById("asked-points");
  const DOUBLE_CLICK_TIME = 400; // milliseconds
  const cardOf = (element) => element.closest(".score-card");
  const cardAt = (number) => (/^\d+$/.test(number) ? document.getElementById(`table-${Number(number)}`) : null);
  const numberOf = (card) => card.id.slice("table-".length);
  const formOf = (card) => card.querySelector("form");
  const fieldOf = (card, name) => formOf(card).elements[`t${numberOf(card)}-${name}`];
  const codesOf = (card) => Array.from(formOf(card)?.querySelectorAll("[name$='-code']") || []);
  // The fields to fill in, in order: agenda points after a code, or the victory points of a pod.
  const asked = (card) => Array.from(card.querySelectorAll("input:is([data-asked], [name*='-victory_points_']):enabled")).filter((field) => !field.closest("[hidden]"));
  const isOpen = (card) => !("settled" in card.dataset);
  // Not tied: a second Enter must not choose who advances.
  const lacksResult = (card) => isOpen(card) && card.dataset.state !== "tied";

  // A sentence of the page, with values in place of their {names}.
  function text(key, values = {}) {
    return TEXTS[key].replace(/\{(\w+)\}/g, (_placeholder, name) => values[name]);
  }

  function namesOf(card) {
    return Array.from(card.querySelectorAll("li bdi"), (name) => name.textContent.trim());
  }

  function mark(card) {
    list.querySelectorAll(".is-current").forEach((marked) => marked.classList.remove("is-current"));
    card?.classList.add("is-current");
  }

  function focusOn(field) {
    field.scrollIntoView({ block: "nearest" });
    field.focus();
    field.select?.();
  }

  // The first thing to do at a table: a field to fill in, a result to choose, or a button.
  function entrance(card) {
    const wrong = card.querySelector("[aria-invalid='true']:not([type='hidden'])");
    const codes = codesOf(card).filter((code) => !code.disabled);
    return wrong || asked(card).find((field) => !field.value) || codes.find((code) => code.checked) || codes[0] || card.querySelector("[data-sides] button") || card.querySelector("button, a");
  }

  function nextOpen(card) {
    const cards = Array.from(list.children);
    const at = cards.indexOf(card);
    return cards.slice(at + 1).concat(cards.slice(0, at)).find(lacksResult);
  }

  // A decided game needs no points.
  function isDecided(card, name) {
    const field = fieldOf(card, name);
    return field ? field.disabled : (formOf(card).dataset.decided || "").split(" ").includes(name.split("_")[1]);
  }

  function pointsField(card, name, drawnGames) {
    const label = template.content.firstElementChild.cloneNode(true);
    const [, game, , seat] = name.split("_");
    label.querySelector(drawnGames.includes(Number(game)) ? "[data-lost]" : "span:not([data-lost])").remove();
    label.querySelector("[data-player]").textContent = namesOf(card)[Number(seat) - 1];
    label.querySelector("[data-game]").textContent = game;
    label.querySelector("input").name = `t${numberOf(card)}-${name}`;
    return label;
  }

  // Show the fields that this code requires; a code without a button of its own gets one.
  function choose(card, code) {
    const form = formOf(card);
    const known = codesOf(card);
    let choice = known.find((radio) => radio.value === code);
    if (!choice) {
      const label = known[0].closest("label").cloneNode(true);
      choice = label.querySelector("input");
      choice.value = code;
      label.replaceChildren(choice, CODES[code][0]);
      known[known.length - 1].closest("label").after(label);
    }
    choice.checked = true;
    card.dataset.dirty = "";
    const names = (code ? CODES[code][1] : []).filter((name) => !isDecided(card, name));
    if ("whole" in card.dataset) {
      window.clearFormerPoints(form, code);
      showInWhole(form, code, names);
    } else {
      form.querySelectorAll(".asked").forEach((label) => names.includes(label.querySelector("input").name.replace(/^t\d+-/, "")) || label.remove());
      names.filter((name) => !fieldOf(card, name)).forEach((name) => form.querySelector(".outcomes ~ button").before(pointsField(card, name, CODES[code][2])));
    }
  }

  function showInWhole(form, code, names) {
    for (const part of form.querySelectorAll("[data-asked-after]")) {
      const inputs = Array.from(part.querySelectorAll("input"));
      part.hidden = Boolean(code) && !inputs.some((input) => names.includes(input.name.replace(/^t\d+-/, "")));
      if (part.matches(".field")) {
        inputs.forEach((input) => input.toggleAttribute("data-asked", Boolean(code)));
      }
    }
  }

  // Choosing with a mouse or a finger leads on to the field that is missing, or to the button.
  function goOn(card) {
    const next = asked(card).find((field) => !field.value) || formOf(card).querySelector("button");
    focusOn(next);
  }

  function onEnter(card) {
    const missing = asked(card).find((field) => !field.value.trim());
    if (missing) {
      focusOn(missing);
    } else if (formOf(card).reportValidity()) {
      formOf(card).requestSubmit();
    }
  }

  const queue = window.saveQueue();

  function send(card, verb, path, values) {
    if ("sending" in card.dataset) {
      return;
    }
    card.dataset.sending = "";
    card.querySelector("[data-lost]")?.remove();
    queue(async function () {
      try {
        await window.htmx.ajax(verb, path, { source: card, target: card, swap: "outerHTML show:none", values });
      } catch {
        // htmx reports the failure with an event of its own, see result_line.js.
      }
      delete card.dataset.sending;
    });
  }

  function open(card) {
    send(card, "GET", `${list.dataset.page}?edit=${numberOf(card)}`, {});
  }

  let touchedAt = -Infinity; // The arrow keys cause clicks on radio buttons, too.
  list.addEventListener("pointerup", (event) => (touchedAt = event.timeStamp));
  list.addEventListener("focusin", (event) => mark(cardOf(event.target)));
  list.addEventListener("change", function (event) {
    if (event.target.matches("[name$='-code']")) {
      choose(cardOf(event.target), event.target.value);
    }
  });
  list.addEventListener("input", function (event) {
    cardOf(event.target).dataset.dirty = "";
  });
  // Results appear where the sides were: the second click of a double click must not choose one.
  let sideChosen = { number: null, at: -Infinity };
  list.addEventListener(
    "click",
    function (event) {
      const card = cardOf(event.target);
      const number = card && numberOf(card);
      if (number === sideChosen.number && event.timeStamp - sideChosen.at < DOUBLE_CLICK_TIME) {
        event.preventDefault();
        event.stopPropagation();
      } else if (event.target.closest("[data-sides] button")) {
        sideChosen = { number, at: event.timeStamp };
      }
    },
    { capture: true },
  );
  list.addEventListener("click", function (event) {
    const card = cardOf(event.target);
    const link = event.target.closest("a:is([href*='?edit='], [href*='?table='])");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      send(card, "GET", link.href.split("#")[0], {});
    } else if (event.target.matches("[name$='-code']") && event.target.value && event.timeStamp - touchedAt < 1000) {
      choose(card, event.target.value); // The change follows this click.
      goOn(card);
    }
  });
  list.addEventListener("keydown", function (event) {
    if (event.key === "Enter" && event.target.matches("input:not([type='checkbox'])")) {
      event.preventDefault();
      onEnter(cardOf(event.target));
    }
  });
  document.addEventListener("submit", function (event) {
    const card = event.target.matches("#result-actions") ? cardOf(event.submitter) : cardOf(event.target);
    if (!card || "closed" in card.dataset) {
      return; // In a closed round the answer is a page.
    }
    event.preventDefault();
    const path = event.submitter?.hasAttribute("formaction") ? event.submitter.formAction : event.target.action;
    send(card, "POST", path, new FormData(event.target, event.submitter));
  });
  document.addEventListener("htmx:afterSettle", function (event) {
    const card = cardOf(event.target);
    if (card) {
      document.dispatchEvent(new CustomEvent("datafort:card", { detail: { card, number: numberOf(card) } }));
    }
  });

  return { list, CODES, text, cardOf, cardAt, numberOf, formOf, asked, isOpen, lacksResult, namesOf, mark, focusOn, entrance, nextOpen, choose, onEnter, open };
})();
