// <div data-poll="URL" data-poll-every="5">: refresh a fragment. A 304 changes nothing, so that focus, scroll
// position and open disclosures are preserved. data-poll-at-once loads a fragment that the page came without.
// data-poll-language reloads the whole page once its fragment is in another language.
//
// Events on the document: datafort:answer {at, now, sent, status} after every response, and datafort:unanswered
// {since, lack} after a failure: no response ("signal"), no data ("fault"), too many requests ("busy"), or no access
// ("refused", "moved"). Event on the element: datafort:fresh {news} after a change. datafort:look polls immediately.
// The script element has the message of each failure, with {time} for the age of the page.
(function () {
  "use strict";
  const LONGEST_WAIT = 60; // seconds
  const LONGEST_ANSWER = 15; // seconds; after sleep an old connection may hang for minutes
  const DEFAULT_EVERY = 5; // seconds
  const SELDOM = 6; // times slower while a stream announces changes
  const KEPT = 1; // seconds for which a proxy may serve a cached page
  const SPREAD = 2; // seconds over which phones spread their requests after news
  const REFUSED_FOR = 300; // seconds before another try after the stream was refused
  const LONGEST_OPENING = 10; // seconds; an overloaded server may accept a connection and send nothing
  const LACKS = { 401: "moved", 403: "refused", 404: "refused", 410: "refused", 429: "busy", 503: "fault" };
  const MESSAGES = document.currentScript.dataset;

  function clockTime(date) {
    return date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }

  // Many phones start at the same moment: spread them by 10 %, after an error by 50 %.
  function jittered(seconds, failures) {
    const spread = failures ? 0.5 : 0.1;
    return seconds * (1 + (Math.random() * 2 - 1) * spread);
  }

  function statusOf(element) {
    const next = element.nextElementSibling;
    return element.querySelector("[data-poll-status]") || (next?.matches("[data-poll-status]") ? next : null);
  }

  // Return true if the user has changed the field since the page was loaded.
  function isChanged(field) {
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  }

  function tellAll(name, detail) {
    document.dispatchEvent(new CustomEvent(name, { detail }));
  }

  // A page stored on the device is as old as its stored copy.
  function shownSince() {
    const kept = Date.parse(document.documentElement.dataset.keptAt || "");
    return Number.isNaN(kept) ? new Date() : new Date(kept);
  }

  class Poller {
    constructor(element) {
      this.element = element;
      this.every = Number(element.dataset.pollEvery) || DEFAULT_EVERY;
      this.etag = element.dataset.pollEtag || null;
      this.failures = 0;
      this.freshAt = shownSince();
      this.timer = null;
      this.askedAt = -Infinity;
      this.busy = false;
      this.again = false;
      this.isOutdated = false; // The site is still rendering a newer page, or was too busy to.
      this.isOver = false; // The address redirects or requires a login: stop polling.
      this.plan("pollAtOnce" in element.dataset ? 0 : this.wait());
    }

    wait() {
      const every = stream.isOpen() ? this.every * SELDOM : this.every;
      return jittered(Math.min(every * 2 ** this.failures, Math.max(LONGEST_WAIT, every)), this.failures);
    }

    plan(seconds) {
      clearTimeout(this.timer);
      this.dueAt = performance.now() + seconds * 1000;
      this.timer = setTimeout(() => this.look(), seconds * 1000);
    }

    // Poll earlier than planned, never later: a stream may break or bring news every second.
    hasten(seconds) {
      if (performance.now() + seconds * 1000 < this.dueAt) {
        this.plan(seconds);
      }
    }

    // Fetch news soon, but in a rush of news no more often than without a stream.
    fetchNews() {
      const sincePoll = (performance.now() - this.askedAt) / 1000;
      this.hasten(Math.max(KEPT + Math.random() * SPREAD, this.rushEvery() - sincePoll));
    }

    rushEvery() {
      return jittered(Math.min(this.every, DEFAULT_EVERY), 0);
    }

    rest() {
      clearTimeout(this.timer);
    }

    async look() {
      if (document.hidden || this.isOver) {
        return; // A hidden page polls again when it is shown.
      }
      if (this.busy) {
        this.again = true; // The running request may return an older state.
        return;
      }
      if (!this.element.isConnected) {
        pollers.delete(this.element);
        return;
      }
      this.busy = true;
      this.again = false;
      const address = this.element.dataset.poll;
      this.askedAt = performance.now();
      try {
        await this.fetchOnce();
        this.failures = 0;
        this.freshAt = new Date();
        this.tell("");
      } catch (error) {
        this.failures += 1;
        const lack = LACKS[error.cause] || "signal";
        this.isOver = lack === "moved";
        this.tell(MESSAGES[lack].replace("{time}", clockTime(this.freshAt)));
        tellAll("datafort:unanswered", { since: this.freshAt, lack });
      } finally {
        this.busy = false;
        if (this.again || this.element.dataset.poll !== address) {
          this.plan(0); // The user selected another view during the request.
        } else {
          const mayLackNews = this.isOutdated || this.askedAt < stream.heardAt + KEPT * 1000;
          this.plan(mayLackNews ? this.rushEvery() : this.wait());
        }
      }
    }

    async fetchOnce() {
      const headers = { "X-Fragment": "1" };
      if (this.etag) {
        headers["If-None-Match"] = this.etag;
      }
      const sent = performance.now();
      const signal = AbortSignal.timeout(LONGEST_ANSWER * 1000);
      // The ETag is handled here: the browser cache would turn a 304 into a 200 and cause a swap.
      const asked = { headers, signal, cache: "no-store", credentials: "same-origin" };
      const answer = await fetch(this.element.dataset.poll, asked);
      if (answer.redirected) {
        throw new Error("Another page answered.", { cause: 401 });
      }
      this.isOutdated = answer.status === 429;
      if (answer.status !== 304 && !answer.ok) {
        throw new Error(`The site answered ${answer.status}.`, { cause: answer.status });
      }
      const now = Number(answer.headers.get("Datafort-Now")) || null;
      tellAll("datafort:answer", { at: new Date(), now, sent, status: answer.status });
      this.isOutdated = answer.headers.has("Datafort-Outdated");
      stream.follow(answer.headers.get("Datafort-Live"));
      if (answer.status !== 304) {
        if (this.isInAnotherLanguage(answer)) {
          window.location.reload();
          return;
        }
        this.swap(await answer.text(), answer.headers.get("X-News"));
        this.etag = answer.headers.get("ETag");
      }
    }

    isInAnotherLanguage(answer) {
      const { lang } = document.documentElement;
      return "pollLanguage" in this.element.dataset && (answer.headers.get("Content-Language") || lang) !== lang;
    }

    swap(html, news) {
      if (html === this.shown) {
        return;
      }
      this.shown = html;
      const focused = this.element.contains(document.activeElement) ? document.activeElement.id : "";
      const typed = [...this.element.querySelectorAll("input[id], textarea[id]")].filter(isChanged);
      const disclosures = [...this.element.querySelectorAll("details[id]")].map((details) => [details.id, details.open]);
      const scrolled = [...this.element.querySelectorAll("[id][data-keep-scroll]")].map((area) => [area.id, area.scrollLeft]);
      this.element.innerHTML = html;
      this.restore(focused, typed, disclosures);
      scrolled.forEach(([id, left]) => document.getElementById(id)?.scrollTo({ left, behavior: "instant" }));
      if (window.htmx) {
        window.htmx.process(this.element);
      }
      this.element.dispatchEvent(new CustomEvent("datafort:fresh", { bubbles: true, detail: { news } }));
    }

    // Restore focus, input and open disclosures of elements with an id.
    restore(focused, typed, disclosures) {
      typed.forEach(function ({ id, value, checked }) {
        const field = document.getElementById(id);
        if (field) {
          Object.assign(field, { value, checked });
        }
      });
      disclosures.forEach(function ([id, open]) {
        const details = document.getElementById(id);
        if (details) {
          details.open = open;
        }
      });
      if (focused) {
        document.getElementById(focused)?.focus({ preventScroll: true });
      }
    }

    tell(words) {
      const status = statusOf(this.element);
      if (status && status.textContent !== words) {
        status.textContent = words;
      }
      this.element.toggleAttribute("data-stale", words !== "");
    }
  }

  // If the site offers an event stream, it only announces new versions; the content is still polled.
  // Without a stream, polling works at its normal rate.
  const stream = {
    source: null,
    seen: null,
    heardAt: -Infinity, // when the newest version arrived; for KEPT seconds a response may lack it
    refusedUntil: 0,

    isOpen() {
      return this.source !== null && this.source.readyState === EventSource.OPEN;
    },

    follow(address) {
      const isFollowing = this.source && this.source.readyState !== EventSource.CLOSED;
      if (!address || isFollowing || performance.now() < this.refusedUntil) {
        return;
      }
      const source = new EventSource(address, { withCredentials: true });
      this.source = source;
      source.addEventListener("version", (event) => this.hear(event.data));
      source.addEventListener("gone", () => source.close());
      source.addEventListener("error", () => this.fail(source));
      setTimeout(() => this.giveUp(source), LONGEST_OPENING * 1000);
    },

    giveUp(source) {
      if (source.readyState === EventSource.CONNECTING) {
        source.close();
        this.fail(source);
      }
    },

    // The browser reopens a broken stream, but not a refused one. In both cases polling speeds up again.
    fail(source) {
      if (source !== this.source) {
        return;
      }
      if (source.readyState === EventSource.CLOSED) {
        this.refusedUntil = performance.now() + jittered(REFUSED_FOR, 1) * 1000;
      }
      pollers.forEach((poller) => poller.hasten(poller.wait()));
    },

    hear(version) {
      if (version !== this.seen) {
        this.seen = version;
        this.heardAt = performance.now();
        pollers.forEach((poller) => poller.fetchNews());
      }
    },

    end() {
      this.source?.close();
      this.source = null;
    },
  };

  const pollers = new Map();

  function lookNow() {
    pollers.forEach((poller) => poller.look());
  }

  function startAll() {
    document.querySelectorAll("[data-poll]").forEach(function (element) {
      if (!pollers.has(element)) {
        pollers.set(element, new Poller(element));
      }
    });
  }

  document.addEventListener("visibilitychange", function () {
    if (document.hidden) {
      stream.end();
      pollers.forEach((poller) => poller.rest());
    } else {
      lookNow();
    }
  });
  window.addEventListener("pageshow", (event) => event.persisted && lookNow());
  window.addEventListener("online", lookNow);
  document.addEventListener("datafort:look", lookNow);
  document.addEventListener("htmx:afterSettle", startAll);
  startAll();
})();
