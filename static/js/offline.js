// Offline support: start the service worker, show the age of a stored page, and preload the forms needed at
// the table. The words are data attributes of the script element.
(function () {
  "use strict";
  const SEEN = "datafort-seen"; // {path, at}: last successful response for this page
  const lacks = document.currentScript.dataset; // why a page is not fresh
  const root = document.documentElement;
  const isKept = document.body.hasAttribute("data-keep");
  const held = new Map(); // address: HTML of the form
  const worker = window.isSecureContext ? navigator.serviceWorker : undefined;
  let isUnseen = isKept && !worker?.controller; // On a first visit the worker has not seen the request for this page.
  let answeredAt = root.dataset.keptAt ? Math.max(Date.parse(root.dataset.keptAt), seenAt()) : Date.now();

  function seenAt() {
    try {
      const seen = JSON.parse(localStorage.getItem(SEEN)) || {};
      return seen.path === location.pathname ? seen.at : 0;
    } catch (error) {
      return 0; // Storage is blocked: use the time of the stored page.
    }
  }

  function rememberSeen() {
    try {
      localStorage.setItem(SEEN, JSON.stringify({ path: location.pathname, at: answeredAt }));
    } catch (error) {
      console.info("Storage is blocked: a kept page will tell an earlier time.");
    }
  }

  function clockTime(moment) {
    return new Date(moment).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }

  // --- The "No signal" banner

  function markStale(lack) {
    if (!isKept) {
      return;
    }
    const words = lacks[lack].replace("{time}", clockTime(answeredAt));
    let mark = document.getElementById("no-signal");
    if (!mark) {
      mark = document.createElement("p");
      mark.id = "no-signal";
      mark.className = "no-signal";
      mark.setAttribute("role", "status");
      document.querySelector("main").prepend(mark);
    }
    if (mark.textContent !== words) {
      mark.textContent = words;
    }
  }

  function markFresh() {
    answeredAt = Date.now();
    delete root.dataset.keptAt;
    document.getElementById("no-signal")?.remove();
    if (isKept) {
      rememberSeen();
    }
  }

  // The worker appends the newest fragment to a stored page as a template; move it into place.
  function showNewest() {
    const newest = document.querySelector("template[data-newest]");
    const live = document.querySelector("[data-poll]");
    if (newest && live) {
      live.replaceChildren(newest.content);
      live.dispatchEvent(new CustomEvent("datafort:fresh", { bubbles: true }));
    }
  }

  // --- The service worker

  function formLinks() {
    return [...document.querySelectorAll("a[data-keep]")].map(formOf);
  }

  async function keepForms() {
    const addresses = isUnseen ? [location.href, ...formLinks()] : formLinks();
    if (addresses.length && navigator.onLine) {
      (await worker.ready).active.postMessage({ keep: addresses });
      isUnseen = false;
    }
  }

  // Without https there is no service worker: hold the forms in memory.
  async function holdForms() {
    for (const address of formLinks().filter((link) => !held.has(link))) {
      try {
        const answer = await fetch(address);
        if (answer.ok && !answer.redirected) {
          held.set(address, await answer.text());
        }
      } catch (error) {
        console.info("A form is not held yet:", error.message);
      }
    }
  }

  async function registered() {
    try {
      return Boolean(worker && (await worker.register("/sw.js", { updateViaCache: "none" })));
    } catch (error) {
      console.info("No service worker:", error.message);
      return false;
    }
  }

  async function start() {
    const isWatched = await registered();
    const fetchForms = isWatched ? keepForms : holdForms;
    fetchForms();
    document.addEventListener("datafort:fresh", function () {
      // All phones see a new round at the same time; spread their requests.
      setTimeout(fetchForms, Math.random() * 60 * 1000);
    });
  }

  // All results of a table share one form; usual_results.js selects the result from the address.
  function formOf(link) {
    return `${link.origin}${link.pathname}`;
  }

  // --- A form from memory, shown in place of the page

  function showHeld(link) {
    const form = new DOMParser().parseFromString(held.get(formOf(link)), "text/html").querySelector("main > .page");
    const behind = document.querySelector("main > .page");
    behind.hidden = true;
    form.dataset.held = "";
    behind.before(form);
    document.dispatchEvent(new CustomEvent("datafort:held", { detail: { address: link.href } }));
    window.scrollTo(0, 0);
    document.querySelector("main").focus({ preventScroll: true });
  }

  function putAway() {
    const form = document.querySelector("[data-held]");
    if (form) {
      form.nextElementSibling.hidden = false;
      form.remove();
    }
  }

  document.addEventListener("click", function (event) {
    const link = event.target.closest("a[href]");
    const isSilent = !navigator.onLine || document.getElementById("no-signal");
    if (!link || !isSilent) {
      return;
    }
    if (held.has(formOf(link))) {
      event.preventDefault();
      showHeld(link);
    } else if (link.closest("[data-held]") && link.href === location.href) {
      event.preventDefault();
      putAway();
    }
  });
  document.addEventListener("datafort:queued", putAway);

  if (document.body.dataset.reader !== undefined) {
    start();
  }
  if (root.dataset.keptAt) {
    showNewest();
    markStale(root.dataset.lack);
  } else if (isKept) {
    rememberSeen();
  }
  document.addEventListener("datafort:answer", markFresh);
  document.addEventListener("datafort:unanswered", (event) => markStale(event.detail.lack));
  window.addEventListener("offline", () => markStale("signal"));
})();
