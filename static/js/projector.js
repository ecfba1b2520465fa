// Projector: rotate pages and views automatically. Keys and a control strip pause, turn and select them.
(function () {
  "use strict";
  const STORE = "datafort-wall-";
  const EVERY = [5, 8, 12, 20, 30, 60]; // seconds a page is shown
  const FACTORS = [0.7, 0.8, 0.9, 1, 1.15, 1.3, 1.5, 1.75, 2];
  const IDLE_AFTER = 4000; // milliseconds of inactivity until strip and pointer hide
  const TYPED_IN = "input, select, textarea, dialog";
  const MESSAGES = document.currentScript.dataset;
  const wall = document.querySelector("[data-wall]");
  const strip = document.querySelector("[data-wall-strip]");
  const keys = document.querySelector("[data-wall-keys]");
  const pausedMark = document.querySelector("[data-wall-paused]");
  const place = document.querySelector("[data-wall-place]");
  const every = strip.querySelector("[data-wall-every]");
  const keysOn = keys.querySelector("[data-wall-keys-on]");
  const state = {
    name: "",
    page: 0,
    isPaused: false,
    every: number("every", 12, EVERY),
    factor: number("size", 1, FACTORS),
    pages: null,
    timer: null,
    idle: null,
  };

  function recall(key) {
    try {
      return localStorage.getItem(STORE + key);
    } catch (error) {
      return null; // Storage is blocked: start with the defaults each time.
    }
  }

  function remember(key, value) {
    try {
      localStorage.setItem(STORE + key, value);
    } catch (error) {
      console.info("Not remembered: storage is blocked.");
    }
  }

  function number(key, usual, allowed) {
    const known = Number(recall(key));
    return allowed.includes(known) ? known : usual;
  }

  // Just after publication, show only the first view.
  function views() {
    const all = [...wall.querySelectorAll("[data-wall-view]")];
    const until = Number(wall.querySelector("[data-wall-first-until]").dataset.wallFirstUntil);
    return window.datafort.time.now() < until ? all.slice(0, 1) : all;
  }

  function current() {
    const all = views();
    return all.find((view) => view.dataset.wallView === state.name) || all[0];
  }

  // Measure the view while it is visible; all of this runs before the next paint.
  function layOut() {
    const view = current();
    state.name = view.dataset.wallView;
    wall.querySelectorAll("[data-wall-view]").forEach((one) => (one.hidden = one !== view));
    wall.querySelectorAll("[data-wall-title]").forEach((one) => (one.hidden = one.dataset.wallTitle !== state.name));
    document.body.dataset.wallShows = state.name;
    state.pages = window.datafort.pages(view, state.factor);
    showPage(Math.min(state.page, state.pages.count - 1));
  }

  function showPage(page) {
    state.page = page;
    state.pages.show(page);
    const names = views().map((view) => view.dataset.wallView);
    const ofPages = state.pages.count > 1 ? numbered(MESSAGES.page, page + 1, state.pages.count) : "";
    const ofViews = names.length > 1 ? numbered(MESSAGES.view, names.indexOf(state.name) + 1, names.length) : "";
    place.textContent = [ofViews, ofPages].filter(Boolean).join(", ");
  }

  function numbered(message, number, count) {
    return message.replace("{number}", number).replace("{count}", count);
  }

  function turn(by) {
    const page = state.page + by;
    if (page >= 0 && page < state.pages.count) {
      showPage(page);
    } else {
      turnView(by);
    }
    plan();
  }

  function turnView(by) {
    const all = views();
    const next = all[(all.indexOf(current()) + by + all.length) % all.length];
    state.name = next.dataset.wallView;
    state.page = by < 0 ? Infinity : 0;
    layOut();
  }

  function plan() {
    clearTimeout(state.timer);
    if (!state.isPaused) {
      state.timer = setTimeout(() => turn(1), state.every * 1000);
    }
  }

  function pause() {
    state.isPaused = !state.isPaused;
    pausedMark.hidden = !state.isPaused;
    const button = strip.querySelector("[data-wall-do=pause]");
    button.setAttribute("aria-pressed", String(state.isPaused));
    button.textContent = state.isPaused ? MESSAGES.resume : MESSAGES.pause;
    plan();
  }

  // Show only the named views, or rotate automatically if there are none. The address preserves this on reload.
  function choose(names) {
    const asked = new URLSearchParams(names.map((name) => ["show", name])).toString();
    const address = window.location.pathname + (asked ? `?${asked}` : "");
    strip.querySelectorAll("[name=show]").forEach((box) => (box.checked = names.includes(box.value)));
    history.replaceState(null, "", address);
    wall.dataset.poll = address;
    [state.name, state.page] = [names[0] || "", 0];
    document.dispatchEvent(new CustomEvent("datafort:look"));
    plan();
  }

  function stepIn(list, value, by) {
    return list[Math.max(0, Math.min(list.length - 1, list.indexOf(value) + by))];
  }

  function resize(by) {
    state.factor = stepIn(FACTORS, state.factor, by);
    remember("size", state.factor);
    layOut();
  }

  function last(seconds) {
    state.every = seconds;
    every.value = String(seconds);
    remember("every", seconds);
    plan();
  }

  function full() {
    if (document.fullscreenElement) {
      document.exitFullscreen();
    } else {
      document.documentElement.requestFullscreen().catch(() => console.info("This browser allows no full screen."));
    }
  }

  function showKeys() {
    if (keys.open) {
      keys.close();
    } else {
      keys.showModal();
    }
  }

  const DO = {
    back: () => turn(-1),
    next: () => turn(1),
    pause,
    smaller: () => resize(-1),
    larger: () => resize(1),
    shorter: () => last(stepIn(EVERY, state.every, -1)),
    longer: () => last(stepIn(EVERY, state.every, 1)),
    full,
    keys: showKeys,
    auto: () => choose([]),
  };
  const KEYS = {
    " ": "pause",
    ArrowRight: "next",
    PageDown: "next",
    ArrowLeft: "back",
    PageUp: "back",
    "+": "larger",
    "=": "larger",
    "-": "smaller",
    s: "shorter",
    l: "longer",
    f: "full",
    "?": "keys",
    0: "auto",
  };

  function pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest(TYPED_IN)) {
      return;
    }
    const isPress = event.key === " " && event.target.closest("button, a");
    if (isPress || (event.key.length === 1 && event.key !== " " && !keysOn.checked)) {
      return;
    }
    const boxes = [...strip.querySelectorAll("[name=show]")];
    const box = boxes.find((one) => one.dataset.wallKey === event.key.toUpperCase());
    const what = KEYS[event.key] || KEYS[event.key.toLowerCase()];
    if (box) {
      choose([box.value]);
    } else if (what) {
      event.preventDefault();
      DO[what]();
    }
  }

  function moved() {
    document.body.classList.remove("wall-is-idle");
    clearTimeout(state.idle);
    state.idle = setTimeout(() => document.body.classList.add("wall-is-idle"), IDLE_AFTER);
  }

  function start() {
    every.value = String(state.every);
    keysOn.checked = recall("keys") !== "off";
    layOut();
    plan();
    moved();
    document.body.classList.remove("wall-begins");
  }

  strip.addEventListener("click", (event) => DO[event.target.closest("[data-wall-do]")?.dataset.wallDo]?.());
  strip.addEventListener("submit", function (event) {
    event.preventDefault();
    choose([...strip.querySelectorAll("[name=show]:checked")].map((box) => box.value));
    strip.querySelector("details").open = false;
  });
  every.addEventListener("change", () => last(Number(every.value)));
  keysOn.addEventListener("change", () => remember("keys", keysOn.checked ? "on" : "off"));
  document.addEventListener("keydown", pressed);
  ["pointermove", "pointerdown", "focusin"].forEach((kind) => document.addEventListener(kind, moved));
  wall.addEventListener("datafort:fresh", layOut);
  window.addEventListener("resize", layOut);
  start();
})();
