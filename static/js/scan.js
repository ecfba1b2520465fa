// Scan check-in codes with the camera, in browsers that support BarcodeDetector.
// The form for a number or name is also sent by script, so that the page and the camera stay open.
(function () {
  "use strict";
  const EVERY = 200; // milliseconds between two scans
  const SAME_AGAIN = 4000; // milliseconds before the same code counts again
  const MESSAGES = document.currentScript.dataset;
  const camera = document.querySelector("[data-scan]");
  const view = document.querySelector("[data-scan-view]");
  const start = document.querySelector("[data-scan-start]");
  const trouble = document.querySelector("[data-scan-trouble]");
  const place = document.querySelector("[data-scanned]");
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const last = { code: "", at: 0 };
  let sound = null;

  // High tone for a checked-in player, low tone otherwise.
  function signal(outcome) {
    if (navigator.vibrate) {
      navigator.vibrate(outcome === "in" ? 80 : [80, 80, 80]);
    }
    if (!sound) {
      return;
    }
    const tone = sound.createOscillator();
    tone.frequency.value = outcome === "in" ? 880 : 220;
    tone.connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + 0.15);
  }

  async function send(fields) {
    const body = new URLSearchParams({ csrfmiddlewaretoken: token, ...fields });
    try {
      const answer = await fetch(camera.dataset.scan, { method: "POST", body, headers: { "X-Fragment": "1" }, credentials: "same-origin" });
      if (answer.status === 401) {
        place.textContent = await answer.text();
        signal("no");
        return false;
      }
      if (!answer.ok) {
        throw new Error(`The site answered ${answer.status}.`);
      }
      place.innerHTML = await answer.text();
      signal(answer.headers.get("X-Outcome"));
      return true;
    } catch (error) {
      place.textContent = MESSAGES.unsent;
      signal("no");
      return false;
    }
  }

  document.addEventListener("submit", async function (event) {
    const form = event.target.closest("[data-scan-form]");
    if (!form) {
      return;
    }
    event.preventDefault();
    const field = document.getElementById("scan-typed");
    const button = event.submitter;
    const fields = button && button.name ? { [button.name]: button.value } : { typed: field.value };
    if (await send(fields)) {
      field.value = "";
      field.focus();
    }
  });

  async function look(detector) {
    const found = await detector.detect(view).catch(() => []);
    const code = found.length ? found[0].rawValue : "";
    const isNew = code && (code !== last.code || Date.now() - last.at > SAME_AGAIN);
    if (code) {
      last.at = Date.now();
      last.code = code;
    }
    if (isNew && !(await send({ code }))) {
      last.code = ""; // Allow an immediate retry of a code that could not be sent.
    }
    setTimeout(() => look(detector), EVERY);
  }

  async function begin() {
    try {
      view.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      await view.play();
    } catch (error) {
      trouble.textContent = MESSAGES.noCamera;
      return;
    }
    sound = window.AudioContext ? new AudioContext() : null;
    view.hidden = false;
    start.hidden = true;
    look(new BarcodeDetector({ formats: ["qr_code"] }));
  }

  async function offer() {
    if (!("BarcodeDetector" in window) || !navigator.mediaDevices) {
      return;
    }
    const formats = await BarcodeDetector.getSupportedFormats();
    if (formats.includes("qr_code")) {
      camera.hidden = false;
      document.querySelector("[data-scan-without]").hidden = true;
      start.addEventListener("click", begin);
    }
  }

  offer();
})();
