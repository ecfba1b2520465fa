// <input data-complete="/cards/complete/?game=anr">: offers cards while one types (ARIA combobox with a listbox).
// data-complete-side="id" names a select whose value narrows the side; with data-complete-go a choice opens the page
// of the card, otherwise it fills the field. Without this script the field is a plain one.
(function () {
  "use strict";
  const WAIT = 120; // milliseconds after the last letter
  const FEWEST_LETTERS = 2;
  let count = 0;

  function option(card, id) {
    const item = document.createElement("li");
    item.className = "complete__option";
    item.id = id;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    const title = document.createElement("bdi");
    title.textContent = card.title;
    const about = document.createElement("span");
    about.className = "complete__about";
    about.textContent = [card.faction || (card.side === "corp" ? "Corp" : "Runner"), card.type].join(", ");
    item.append(title, about);
    item.card = card;
    return item;
  }

  class Combobox {
    constructor(field) {
      count += 1;
      this.field = field;
      this.frame = document.createElement("div");
      this.frame.className = "complete";
      field.replaceWith(this.frame);
      this.list = document.createElement("ul");
      this.list.id = `complete-${count}`;
      this.list.className = "complete__list";
      this.list.hidden = true;
      this.list.setAttribute("role", "listbox");
      this.list.setAttribute("aria-label", "Cards");
      this.status = document.createElement("p");
      this.status.className = "visually-hidden";
      this.status.setAttribute("role", "status");
      this.frame.append(field, this.list, this.status);
      this.active = -1;
      this.dress();
      this.listen();
    }

    dress() {
      const attributes = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false" };
      Object.entries(attributes).forEach(([name, value]) => this.field.setAttribute(name, value));
      this.field.setAttribute("aria-controls", this.list.id);
      this.field.autocomplete = "off";
    }

    listen() {
      this.field.addEventListener("input", () => this.plan());
      this.field.addEventListener("keydown", (event) => this.onKey(event));
      this.field.addEventListener("blur", () => this.close());
      // The field keeps the focus, so that the click is not lost with the list.
      this.list.addEventListener("pointerdown", (event) => event.preventDefault());
      this.list.addEventListener("click", (event) => {
        const item = event.target.closest("[role=option]");
        if (item) {
          this.choose(item);
        }
      });
    }

    plan() {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(), WAIT);
    }

    address() {
      const address = new URL(this.field.dataset.complete, window.location.href);
      const side = document.getElementById(this.field.dataset.completeSide || "");
      address.searchParams.set("q", this.field.value.trim());
      if (side && side.value) {
        address.searchParams.set("side", side.value);
      }
      return address;
    }

    async ask() {
      if (this.asking) {
        this.asking.abort();
      }
      if (this.field.value.trim().length < FEWEST_LETTERS) {
        this.close();
        return;
      }
      this.asking = new AbortController();
      try {
        const answer = await fetch(this.address(), { signal: this.asking.signal, credentials: "same-origin" });
        this.offer(answer.ok ? await answer.json() : []);
      } catch (error) {
        if (error.name !== "AbortError") {
          this.close(); // No network: the field works as before.
        }
      }
    }

    offer(cards) {
      this.list.replaceChildren(...cards.map((card, place) => option(card, `${this.list.id}-${place}`)));
      const none = cards.length === 0 || document.activeElement !== this.field;
      this.list.hidden = none;
      this.field.setAttribute("aria-expanded", String(!none));
      this.mark(-1);
      this.status.textContent = none ? "" : `${cards.length} card${cards.length === 1 ? "" : "s"} to choose from`;
    }

    mark(place) {
      const items = this.items();
      items.forEach((item, index) => item.setAttribute("aria-selected", String(index === place)));
      this.active = place;
      if (place < 0) {
        this.field.removeAttribute("aria-activedescendant");
      } else {
        this.field.setAttribute("aria-activedescendant", items[place].id);
        items[place].scrollIntoView({ block: "nearest" });
      }
    }

    items() {
      return Array.from(this.list.children);
    }

    isOpen() {
      return !this.list.hidden;
    }

    close() {
      clearTimeout(this.timer);
      this.list.hidden = true;
      this.field.setAttribute("aria-expanded", "false");
      this.status.textContent = "";
      this.mark(-1);
    }

    choose(item) {
      const card = item.card;
      this.close();
      this.field.value = card.title;
      this.field.dispatchEvent(new CustomEvent("datafort:chosen", { bubbles: true, detail: card }));
      if ("completeGo" in this.field.dataset) {
        window.location.assign(card.url);
      } else {
        this.field.dispatchEvent(new Event("change", { bubbles: true }));
      }
    }

    onKey(event) {
      const last = this.items().length - 1;
      if (event.key === "ArrowDown" && !this.isOpen()) {
        event.preventDefault();
        this.ask();
      } else if (!this.isOpen()) {
        return;
      } else if (event.key === "ArrowDown") {
        event.preventDefault();
        this.mark(this.active < last ? this.active + 1 : 0);
      } else if (event.key === "ArrowUp") {
        event.preventDefault();
        this.mark(this.active > 0 ? this.active - 1 : last);
      } else if (event.key === "Enter" && this.active >= 0) {
        event.preventDefault();
        this.choose(this.items()[this.active]);
      } else if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        this.close();
      }
    }
  }

  const known = new WeakSet();

  function startAll() {
    document.querySelectorAll("[data-complete]").forEach(function (field) {
      if (!known.has(field)) {
        known.add(field);
        new Combobox(field);
      }
    });
  }

  document.addEventListener("htmx:afterSettle", startAll);
  startAll();
})();
