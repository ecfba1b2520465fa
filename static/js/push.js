// "Tell this phone": create a push subscription in the browser and submit it with the form.
// The browser requests permission only after the button is pressed.
(function () {
  "use strict";
  const form = document.querySelector("form[data-push]");
  const worker = window.isSecureContext ? navigator.serviceWorker : undefined;
  if (!form || !worker || !("PushManager" in window) || !("Notification" in window)) {
    return;
  }
  const words = form.querySelector("[data-push-words]");
  const messages = words.dataset;
  const [tell, stop] = form.querySelectorAll("button");

  function bytesOf(base64url) {
    const raw = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
  }

  // The site identifies a phone by the hash of its push endpoint.
  async function markOf(subscription) {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint));
    return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  async function current() {
    return (await worker.ready).pushManager.getSubscription();
  }

  function isOfKey(subscription, key) {
    const own = subscription.options.applicationServerKey;
    return own !== null && String(new Uint8Array(own)) === String(key);
  }

  // If the site's key has changed, replace the subscription.
  async function subscribe() {
    const key = bytesOf(form.dataset.push);
    const old = await current();
    if (old && isOfKey(old, key)) {
      return old;
    }
    await old?.unsubscribe();
    const asked = { userVisibleOnly: true, applicationServerKey: key };
    return (await worker.ready).pushManager.subscribe(asked);
  }

  function send(subscription, wanted) {
    const { endpoint, keys } = subscription.toJSON();
    form.elements.endpoint.value = endpoint;
    form.elements.p256dh.value = keys.p256dh;
    form.elements.auth.value = keys.auth;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "wanted", value: wanted });
    form.append(field);
    form.submit();
  }

  async function start() {
    if ((await Notification.requestPermission()) !== "granted") {
      words.textContent = messages.denied;
      return;
    }
    try {
      send(await subscribe(), "yes");
    } catch (error) {
      words.textContent = messages.failed.replace("{error}", () => error.message);
    }
  }

  // Leave the browser's subscription in place: other events may use it.
  async function end() {
    send(await current(), "no");
  }

  async function show() {
    const subscription = await current();
    const isTold = subscription !== null && form.dataset.phones.split(" ").includes(await markOf(subscription));
    words.textContent = isTold ? messages.on : messages.off;
    tell.parentElement.hidden = isTold;
    stop.parentElement.hidden = !isTold;
  }

  form.addEventListener("submit", function (event) {
    event.preventDefault();
    (event.submitter === stop ? end : start)();
  });
  show();
})();
