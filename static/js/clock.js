// <p data-clock="running" data-clock-end="milliseconds">: count down by server time, regardless of the device's clock.
// The server sets the end of a clock; server_time.js estimates server time. Without scripts the server's text is shown.
(function () {
  "use strict";
  const { time, stored, store } = window.datafort;
  const texts = document.currentScript.dataset; // see components/clock_scripts.html
  const language = document.documentElement.lang || "en";
  const minutesText = new Intl.NumberFormat(language, { style: "unit", unit: "minute", unitDisplay: "long" });
  const WARNINGS = [20, 5, 1, 0]; // minutes left that trigger a warning
  const SOUND_KEY = "datafort-clock-sound";
  const TONES = { warn: [660, 880], zero: [880, 660, 440] };

  // Optional warning tones. Browsers allow sound only after the user has interacted with the page.
  class Sound {
    constructor() {
      this.isOn = stored(SOUND_KEY) === "on";
      this.context = null;
    }

    toggle() {
      this.isOn = !this.isOn;
      store(SOUND_KEY, this.isOn ? "on" : "off");
      if (this.isOn) {
        this.touched();
        this.play(TONES.warn);
      }
    }

    touched() {
      if (this.isOn && window.AudioContext) {
        this.context ??= new AudioContext();
        this.context.resume();
      }
    }

    play(tones) {
      if (!this.isOn || !this.context) {
        return;
      }
      tones.forEach((pitch, place) => this.beep(pitch, this.context.currentTime + place * 0.35));
    }

    beep(pitch, from) {
      const tone = this.context.createOscillator();
      const loudness = this.context.createGain();
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(0.0001, from);
      loudness.gain.exponentialRampToValueAtTime(0.3, from + 0.03);
      loudness.gain.exponentialRampToValueAtTime(0.0001, from + 0.3);
      tone.connect(loudness).connect(this.context.destination);
      tone.start(from);
      tone.stop(from + 0.32);
    }

    show() {
      document.querySelectorAll("[data-clock-sound]").forEach((button) => {
        button.hidden = !window.AudioContext;
        button.textContent = this.isOn ? button.dataset.turnOff : button.dataset.turnOn;
      });
    }
  }

  const sound = new Sound();
  const announcer = makeAnnouncer();
  let before = null; // reading of the page's first clock at the last tick

  // Outside the polled parts: screen readers do not announce a live region that is replaced.
  function makeAnnouncer() {
    const region = document.createElement("p");
    region.className = "visually-hidden";
    region.setAttribute("aria-live", "polite");
    region.dataset.clockSays = "";
    document.body.append(region);
    return region;
  }

  function words(seconds) {
    const whole = Math.abs(seconds);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  }

  // Phase and text for the seconds left: in time, in overtime, or after the end.
  function phase(left, overtime) {
    if (left > 0) {
      return { name: left <= 60 ? "last" : left <= 300 ? "soon" : "on", word: "", text: words(left), label: texts.left };
    }
    if (left + overtime > 0) {
      return { name: "overtime", word: texts.overtime, text: words(left + overtime), label: texts.after };
    }
    return { name: "over", word: texts.over, text: `+${words(left + overtime)}`, label: texts.after };
  }

  function set(element, text) {
    if (element && element.textContent !== text) {
      element.textContent = text;
    }
  }

  function show(clock) {
    if (clock.dataset.clock !== "running" || time.offset === null) {
      return; // Keep the text from the server.
    }
    const left = Math.ceil((Number(clock.dataset.clockEnd) - time.now()) / 1000);
    const now = phase(left, Number(clock.dataset.clockOvertime));
    set(clock.querySelector(".clock__word"), now.word);
    set(clock.querySelector(".clock__time"), now.text);
    set(clock.querySelector("[data-clock-words]"), now.label);
    clock.querySelector("[data-clock-label]")?.removeAttribute("hidden"); // Table clocks have no label.
    if (clock.dataset.clockPhase !== now.name) {
      clock.dataset.clockPhase = now.name;
    }
  }

  function reading(clock) {
    const { clock: state, clockEnd: end, clockOvertime: overtime, clockOf: of } = clock.dataset;
    const left = state === "running" ? Math.ceil((Number(end) - time.now()) / 1000) : null;
    return { state, end, of, left, overtime: Number(overtime) };
  }

  // Announce only changes since the last tick, not old events when the page loads.
  function tell(now) {
    const then = before;
    before = now;
    if (!then || !now || then.of !== now.of) {
      return;
    }
    const said = changed(then, now) || passed(then, now);
    if (said) {
      set(announcer, said);
    }
  }

  function changed(then, now) {
    if (then.state !== now.state) {
      const turn = { paused: texts.paused, running: then.state === "paused" ? texts.resumed : texts.running };
      return turn[now.state] ? sentence(turn[now.state], now) : "";
    }
    if (now.end !== then.end && now.left > 0) {
      return sentence(texts.changed, now, now.left);
    }
    return "";
  }

  function passed(then, now) {
    if (now.left === null || then.left === null) {
      return "";
    }
    const end = -now.overtime;
    if (now.overtime && then.left > end && now.left <= end) {
      sound.play(TONES.zero);
      return sentence(texts.overtimeOver, now);
    }
    const crossed = WARNINGS.filter((minutes) => then.left > minutes * 60 && now.left <= minutes * 60).pop();
    if (crossed === undefined) {
      return "";
    }
    sound.play(crossed ? TONES.warn : TONES.zero);
    return crossed ? sentence(texts.remaining, now, now.left) : ended(now);
  }

  function ended(now) {
    return now.overtime ? sentence(texts.overtimeBegins, now, now.overtime) : sentence(texts.timeOver, now);
  }

  // Fill {round} and {time} of a text. Functions, because "$" in a replacement string has a meaning.
  function sentence(text, now, seconds = 0) {
    const minutes = Math.max(1, Math.round(seconds / 60));
    return text.replace("{time}", () => minutesText.format(minutes)).replace("{round}", () => now.of);
  }

  function tick() {
    time.check();
    const clocks = document.querySelectorAll("[data-clock]");
    clocks.forEach(show);
    if (time.isKnown()) {
      tell(clocks.length ? reading(clocks[0]) : null);
    }
  }

  function fresh() {
    sound.show();
    tick();
  }

  document.addEventListener("datafort:fresh", fresh);
  document.addEventListener("click", function (event) {
    if (event.target.closest("[data-clock-sound]")) {
      sound.toggle();
      sound.show();
    }
  });
  ["pointerdown", "keydown"].forEach((kind) => document.addEventListener(kind, () => sound.touched(), { passive: true }));
  setInterval(tick, 250);
  fresh();
})();
