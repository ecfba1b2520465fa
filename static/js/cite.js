// <div data-cite="/rulings/pick/"> around a field of ruling codes: a box to look for rulings takes the place of the
// field, what is chosen stands below as chips, and the field, hidden, is still what is posted.
// Without this script the field is a plain one. A module: it runs once, however often a page names it.

const WAIT = 200; // milliseconds after the last letter
const FEWEST_LETTERS = 2;
const CODE = /^([rsl][\s-]*\d{1,6}|\S*[a-z0-9]-\d+)(\s+v?\d{1,4}|\/\S*)?$/i;
const HELP = "A card, words, or a code such as R-0231. Arrow down leads to what is found, Escape back.";
const OFFLINE = "The site does not answer. Type a code such as R-0231 and press Enter.";

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

function bareCode(code) {
  return code.split(/\s/)[0].toLowerCase();
}

class CiteField {
  constructor(frame) {
    this.frame = frame;
    this.posted = frame.querySelector("input");
    this.names = new Map();
    this.answers = new Map();
    this.build();
    this.listen();
    this.draw();
    this.learnNames();
  }

  build() {
    this.box = element("input", { type: "search", autocomplete: "off", spellcheck: "false", maxlength: "300" });
    ["id", "aria-describedby", "aria-invalid"].forEach((name) => {
      if (this.posted.hasAttribute(name)) {
        this.box.setAttribute(name, this.posted.getAttribute(name));
        this.posted.removeAttribute(name);
      }
    });
    this.chips = element("ul", { class: "cite__chosen", "aria-label": "Rulings to cite" });
    this.hits = element("div", { class: "cite__found" });
    this.status = element("p", { class: "visually-hidden", role: "status" });
    this.posted.before(this.box);
    this.posted.type = "hidden";
    this.frame.append(this.hits, this.chips, this.status);
    this.frame.querySelector("[data-cite-plain]")?.remove();
    const help = this.frame.querySelector(".field__help");
    if (help) {
      help.textContent = HELP;
    }
  }

  listen() {
    this.box.addEventListener("input", () => this.plan());
    this.box.addEventListener("keydown", (event) => this.onBoxKey(event));
    this.hits.addEventListener("keydown", (event) => this.onHitKey(event));
    this.hits.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-cite-code]");
      if (button) {
        this.names.set(bareCode(button.dataset.citeCode), button.dataset.citeName);
        this.toggle(button.dataset.citeCode);
      }
    });
    this.chips.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) {
        this.remove(button.value);
        this.box.focus({ preventScroll: true });
      }
    });
    // A code that was typed and not yet chosen is meant.
    this.posted.form?.addEventListener("formdata", (event) => {
      if (CODE.test(this.box.value.trim())) {
        event.formData.set(this.posted.name, this.with(this.box.value.trim()).join(", "));
      }
    });
  }

  codes() {
    return this.posted.value
      .split(/[,;\n]/)
      .map((code) => code.trim())
      .filter(Boolean);
  }

  with(code) {
    const codes = this.codes();
    return codes.some((one) => bareCode(one) === bareCode(code)) ? codes : [...codes, code];
  }

  keep(codes, words) {
    this.posted.value = codes.join(", ");
    this.posted.dispatchEvent(new Event("change", { bubbles: true }));
    this.draw();
    this.say(`${words} ${codes.length} ruling${codes.length === 1 ? "" : "s"} to cite.`);
  }

  add(code) {
    this.keep(this.with(code), `${code} is cited.`);
  }

  remove(code) {
    const codes = this.codes().filter((one) => bareCode(one) !== bareCode(code));
    this.keep(codes, `${code} is not cited any more.`);
  }

  toggle(code) {
    if (this.codes().some((one) => bareCode(one) === bareCode(code))) {
      this.remove(code);
    } else {
      this.add(code);
    }
  }

  draw() {
    const codes = this.codes();
    this.chips.replaceChildren(...codes.map((code) => this.chip(code)));
    this.chips.hidden = codes.length === 0;
    const chosen = new Set(codes.map(bareCode));
    this.buttons().forEach((button) => {
      button.setAttribute("aria-pressed", String(chosen.has(bareCode(button.dataset.citeCode))));
    });
  }

  chip(code) {
    const words = [element("code", {}, code)];
    const name = this.names.get(bareCode(code));
    if (name) {
      words.push(" ", element("bdi", {}, name));
    }
    const button = element("button", { type: "button", class: "cite__remove", "aria-label": `Do not cite ${code}` }, "\u00d7");
    button.value = code;
    return element("li", { class: "cite__chip" }, element("span", {}, ...words), button);
  }

  // What the page came with are codes alone.
  async learnNames() {
    const codes = this.codes();
    const html = codes.length ? await this.fetch({ codes: codes.join(",") }) : null;
    if (!html) {
      return;
    }
    const known = [...html.querySelectorAll("[data-cite-for]")];
    known.forEach((one) => this.names.set(bareCode(one.dataset.citeFor), one.dataset.citeName));
    known.forEach((one) => this.names.set(bareCode(one.dataset.citeCode), one.dataset.citeName));
    const versions = new Map(known.map((one) => [one.dataset.citeFor, one.dataset.citeCode]));
    this.posted.value = this.codes()
      .map((code) => versions.get(code) || code)
      .join(", ");
    this.draw();
  }

  plan() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), WAIT);
  }

  async look() {
    clearTimeout(this.timer);
    const typed = this.box.value.trim();
    this.asking?.abort();
    if (typed.length < FEWEST_LETTERS) {
      this.clear();
      return;
    }
    if (!this.answers.has(typed)) {
      this.asking = new AbortController();
      const html = await this.fetch({ q: typed }, this.asking.signal);
      if (html === undefined) {
        return; // Somebody typed on.
      }
      if (html === null) {
        this.clear();
        this.say(OFFLINE);
        return;
      }
      this.answers.set(typed, html);
    }
    if (typed === this.box.value.trim()) {
      this.show(this.answers.get(typed));
    }
  }

  // null without an answer, undefined when it was not waited for.
  async fetch(query, signal) {
    const address = new URL(this.frame.dataset.cite, window.location.href);
    Object.entries(query).forEach(([name, value]) => address.searchParams.set(name, value));
    try {
      const answer = await fetch(address, { signal, credentials: "same-origin" });
      return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    } catch (error) {
      return error.name === "AbortError" ? undefined : null;
    }
  }

  show(html) {
    this.hits.replaceChildren(...html.cloneNode(true).body.children);
    this.draw();
    this.say(this.hits.querySelector("[data-cite-count]")?.textContent || "");
  }

  clear() {
    this.hits.replaceChildren();
  }

  say(words) {
    this.status.textContent = words;
  }

  buttons() {
    return [...this.hits.querySelectorAll("button[data-cite-code]")];
  }

  async onBoxKey(event) {
    const typed = this.box.value.trim();
    if (event.key === "ArrowDown" && this.buttons().length) {
      event.preventDefault();
      this.buttons()[0].focus();
    } else if (event.key === "Escape" && this.hits.childElementCount) {
      event.preventDefault();
      this.clear();
    } else if (event.key === "Enter" && typed) {
      event.preventDefault(); // The form is not finished while one looks for a ruling.
      await this.take(typed);
    }
  }

  // Enter: the one ruling there is, or a code as it was typed; else the first of those found.
  async take(typed) {
    await this.look();
    const buttons = this.buttons();
    if (buttons.length === 1 || (buttons.length === 0 && CODE.test(typed))) {
      const button = buttons[0];
      if (button) {
        this.names.set(bareCode(button.dataset.citeCode), button.dataset.citeName);
      }
      this.add(button ? button.dataset.citeCode : typed);
      this.box.value = "";
      this.clear();
    } else if (buttons.length) {
      buttons[0].focus();
    }
  }

  onHitKey(event) {
    const buttons = this.buttons();
    const place = buttons.indexOf(document.activeElement);
    if (event.key === "ArrowDown") {
      event.preventDefault();
      buttons[Math.min(place + 1, buttons.length - 1)]?.focus();
    } else if (event.key === "ArrowUp") {
      event.preventDefault();
      (place > 0 ? buttons[place - 1] : this.box).focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.box.focus();
    }
  }
}

const known = new WeakSet();

function startAll() {
  document.querySelectorAll("[data-cite]").forEach(function (frame) {
    if (!known.has(frame)) {
      known.add(frame);
      new CiteField(frame);
    }
  });
}

document.addEventListener("htmx:afterSettle", startAll);
document.addEventListener("datafort:fresh", startAll);
startAll();
