// Estimate the server's time from regular responses and a few extra requests. Offers window.datafort.time with now() in
// milliseconds, isKnown(), and `offset`, null until a first estimate. clock.js and the projector use it.
// stored() and store() access the clock settings in localStorage.
(function () {
  "use strict";
  const OFFSET_KEY = "datafort-clock-offset";
  const SLOW_ANSWER = 1000; // milliseconds of round trip above which a better sample is requested
  const SAMPLE_LASTS = 5 * 60 * 1000; // milliseconds; device clocks drift, so after that any response is better
  const NO_ANSWER = 1e9; // milliseconds; placeholder after a failure, slower than any real response
  const JUMP = 1500; // milliseconds of drift that only sleep or a changed clock explains

  function stored(key) {
    try {
      return localStorage.getItem(key);
    } catch (error) {
      return null; // Storage is blocked: the value lasts for this page only.
    }
  }

  function store(key, value) {
    try {
      localStorage.setItem(key, value);
    } catch (error) {
      console.info("Not remembered: storage is blocked.");
    }
  }

  // Offset of the device's clock from server time, taken from the fastest response.
  class ServerTime {
    constructor() {
      const known = stored(OFFSET_KEY);
      this.offset = known === null ? null : Number(known) || 0;
      this.trip = Infinity;
      this.at = 0;
      this.drift = this.gap();
      this.asking = false;
    }

    now() {
      return Date.now() + (this.offset ?? 0);
    }

    isKnown() {
      return this.trip < Infinity;
    }

    // Jumps if the device slept or its clock was changed; both make the offset unreliable.
    gap() {
      return Date.now() - performance.now();
    }

    take(moment, trip) {
      const offset = moment + trip / 2 - Date.now();
      const apart = Math.abs(offset - (this.offset ?? offset));
      const isOld = performance.now() - this.at > SAMPLE_LASTS;
      const contradicts = apart > (trip + this.trip) / 2 + 100;
      if (trip > this.trip && !isOld && !contradicts) {
        return;
      }
      [this.offset, this.trip, this.at] = [offset, trip, performance.now()];
      store(OFFSET_KEY, String(Math.round(offset)));
    }

    async ask(tries) {
      if (this.asking) {
        return;
      }
      this.asking = true;
      const sent = performance.now();
      try {
        const answer = await fetch("/time/", { method: "HEAD", cache: "no-store", credentials: "omit" });
        this.heard(answer.headers.get("Datafort-Now"), sent);
      } catch (error) {
        console.info("The site does not tell the time now; the next answer will.");
        this.offset ??= 0;
        this.trip = Math.min(this.trip, NO_ANSWER);
      } finally {
        this.asking = false;
      }
      if (this.trip > SLOW_ANSWER && tries > 1) {
        setTimeout(() => this.ask(tries - 1), SLOW_ANSWER);
      }
    }

    heard(now, sent) {
      if (now && Number.isFinite(sent)) {
        this.take(Number(now), performance.now() - sent);
      }
    }

    doubt() {
      this.trip = Infinity;
      this.drift = this.gap();
      this.ask(3);
    }

    check() {
      if (Math.abs(this.gap() - this.drift) > JUMP) {
        this.doubt();
      }
    }
  }

  const time = new ServerTime();
  document.addEventListener("datafort:answer", function (event) {
    time.heard(event.detail?.now, event.detail?.sent);
  });
  document.addEventListener("visibilitychange", () => document.hidden || time.doubt());
  window.addEventListener("pageshow", (event) => event.persisted && time.doubt());
  window.addEventListener("online", () => time.doubt());
  window.datafort = { time, stored, store };
  time.ask(3);
})();
