// <div data-poll="URL" data-poll-every="5">: keeps a fragment fresh. A 304 changes nothing, so that focus,
// scroll position and an open disclosure stay as they are.
(function () {
  "use strict";
  const LONGEST_WAIT = 60; // seconds
  const DEFAULT_EVERY = 5; // seconds

  function clockTime(date) {
    return date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }

  // Many phones start at the same moment: spread them by a tenth, and more after an error.
  function jittered(seconds, failures) {
    const spread = failures ? 0.5 : 0.1;
    return seconds * (1 + (Math.random() * 2 - 1) * spread);
  }

  function statusOf(element) {
    return element.querySelector("[data-poll-status]") || element.parentElement.querySelector("[data-poll-status]");
  }

  class Poller {
    constructor(element) {
      this.element = element;
      this.every = Number(element.dataset.pollEvery) || DEFAULT_EVERY;
      this.etag = element.dataset.pollEtag || null;
      this.failures = 0;
      this.freshAt = new Date();
      this.timer = null;
      this.busy = false;
      this.plan();
    }

    wait() {
      return Math.min(this.every * 2 ** this.failures, Math.max(LONGEST_WAIT, this.every));
    }

    plan() {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), jittered(this.wait(), this.failures) * 1000);
    }

    rest() {
      clearTimeout(this.timer);
    }

    async look() {
      if (this.busy || document.hidden) {
        return; // A hidden page looks again when it is shown.
      }
      if (!this.element.isConnected) {
        pollers.delete(this.element);
        return;
      }
      this.busy = true;
      try {
        await this.fetchOnce();
        this.failures = 0;
        this.freshAt = new Date();
        this.tell("");
      } catch (error) {
        this.failures += 1;
        this.tell(`Stale since ${clockTime(this.freshAt)}: no answer from the site. Trying again.`);
      } finally {
        this.busy = false;
        this.plan();
      }
    }

    async fetchOnce() {
      const headers = { "X-Fragment": "1" };
      if (this.etag) {
        headers["If-None-Match"] = this.etag;
      }
      // The ETag is handled here: the browser's cache would turn a 304 into a 200 and cause a swap.
      const answer = await fetch(this.element.dataset.poll, { headers, cache: "no-store", credentials: "same-origin" });
      if (answer.status === 304) {
        return;
      }
      if (!answer.ok) {
        throw new Error(`The site answered ${answer.status}.`);
      }
      this.swap(await answer.text());
      this.etag = answer.headers.get("ETag");
    }

    swap(html) {
      if (html === this.shown) {
        return;
      }
      this.shown = html;
      const focused = this.element.contains(document.activeElement) ? document.activeElement.id : "";
      const opened = [...this.element.querySelectorAll("details[id][open]")].map((details) => details.id);
      const scrolled = [...this.element.querySelectorAll("[id][data-keep-scroll]")].map((area) => [area.id, area.scrollLeft]);
      this.element.innerHTML = html;
      this.restore(focused, opened);
      scrolled.forEach(([id, left]) => document.getElementById(id)?.scrollTo({ left, behavior: "instant" }));
      if (window.htmx) {
        window.htmx.process(this.element);
      }
      this.element.dispatchEvent(new CustomEvent("datafort:fresh", { bubbles: true }));
    }

    // What has an id keeps the focus, and stays open.
    restore(focused, opened) {
      if (focused && document.getElementById(focused)) {
        document.getElementById(focused).focus({ preventScroll: true });
      }
      opened.forEach(function (id) {
        const details = document.getElementById(id);
        if (details) {
          details.open = true;
        }
      });
    }

    tell(words) {
      const status = statusOf(this.element);
      if (status && status.textContent !== words) {
        status.textContent = words;
      }
      this.element.toggleAttribute("data-stale", words !== "");
    }
  }

  const pollers = new Map();

  function startAll() {
    document.querySelectorAll("[data-poll]").forEach(function (element) {
      if (!pollers.has(element)) {
        pollers.set(element, new Poller(element));
      }
    });
  }

  document.addEventListener("visibilitychange", function () {
    pollers.forEach((poller) => (document.hidden ? poller.rest() : poller.look()));
  });
  window.addEventListener("online", () => pollers.forEach((poller) => poller.look()));
  document.addEventListener("htmx:afterSettle", startAll);
  startAll();
})();
