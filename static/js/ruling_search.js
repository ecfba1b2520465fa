// Rulings by keyboard. "/" goes to the search box, unless the reader has switched that off; arrows move through what
// was found, and with the focus there "c" copies the citation. Everything is in the page without this script as well.

const SLASH_OFF = "datafort-no-slash";
const box = document.getElementById("rulings-search");
const found = document.querySelector("[data-results]");

// Private windows may keep nothing: then the key is on again with the next page.
function slashIsOn() {
  try {
    return window.localStorage.getItem(SLASH_OFF) === null;
  } catch (error) {
    return true;
  }
}

function switchSlash(on) {
  try {
    if (on) {
      window.localStorage.removeItem(SLASH_OFF);
    } else {
      window.localStorage.setItem(SLASH_OFF, "1");
    }
  } catch (error) {
    return;
  }
}

function isWriting(target) {
  return target.isContentEditable || target.matches("input, textarea, select");
}

function links() {
  return found ? [...found.querySelectorAll("[data-hit] .hit__link")] : [];
}

function hitOf(target) {
  return target.closest ? target.closest("[data-hit]") : null;
}

function move(event, step) {
  const all = links();
  const here = hitOf(event.target);
  const place = here ? all.findIndex((link) => here.contains(link)) + step : 0;
  event.preventDefault();
  if (place < 0) {
    box.focus();
  } else {
    all[Math.min(place, all.length - 1)]?.focus();
  }
}

// Copying ends with the focus on its button; whoever came by key stays on the result.
function copyOf(hit, here) {
  const button = hit.querySelector("[data-copy]");
  button.addEventListener("focus", () => here.focus(), { once: true });
  button.click();
}

function kbd(key) {
  const made = document.createElement("kbd");
  made.textContent = key;
  return made;
}

function helpLine() {
  const line = document.createElement("p");
  line.className = "keys no-print";
  const label = document.createElement("label");
  const tick = document.createElement("input");
  tick.type = "checkbox";
  tick.checked = slashIsOn();
  tick.addEventListener("change", () => switchSlash(tick.checked));
  label.append(tick, " ", kbd("/"), " goes to the search box");
  line.append(label);
  if (found) {
    line.append("; ", kbd("\u2193"), " ", kbd("\u2191"), " move through the results, ", kbd("Enter"), " opens one, ");
    line.append(kbd("c"), " copies its citation, ", kbd("Esc"), " leads back.");
  }
  // Whoever has no keys needs no word on them.
  if (window.matchMedia("(hover: hover) and (pointer: fine)").matches) {
    box.closest("form").after(line);
  }
}

document.addEventListener("keydown", function (event) {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const inHits = hitOf(event.target);
  if (event.key === "/" && slashIsOn() && !isWriting(event.target)) {
    event.preventDefault();
    box.focus();
    box.select();
  } else if (event.key === "ArrowDown" && links().length && (inHits || event.target === box)) {
    move(event, 1);
  } else if (event.key === "ArrowUp" && inHits) {
    move(event, -1);
  } else if (event.key === "Escape" && inHits) {
    box.focus();
  } else if (event.key === "c" && inHits && !isWriting(event.target)) {
    copyOf(inHits, event.target);
  }
});

if (box) {
  helpLine();
}
