// Show elements with data-passkey only if the browser supports passkeys, over https or on localhost.
// Errors between browser and key are shown in elements with data-passkey-error.
(function () {
  "use strict";
  const WORDS = {
    NotAllowedError: "The browser stopped, or the time was up. Nothing has changed: try again.",
    InvalidStateError: "This key is in your account already.",
    SecurityError: "Passkeys do not work at this address. They need https and a name, or http://localhost on the computer itself.",
    NotSupportedError: "This key cannot do what is asked of it. Try another one."
  };

  // A passkey cannot be bound to an IP address.
  const isNumber = /^[\d.]+$|^\[/.test(location.hostname);
  const works = Boolean(window.isSecureContext && window.PublicKeyCredential && !isNumber);

  document.querySelectorAll("[data-passkey]").forEach(function (part) {
    part.hidden = !works;
  });
  document.querySelectorAll("[data-passkey-missing]").forEach(function (part) {
    part.hidden = works;
  });
  document.addEventListener("allauth.error", function (event) {
    event.preventDefault();
    const error = event.detail.exception;
    document.querySelectorAll("[data-passkey-error]").forEach(function (place) {
      place.textContent = WORDS[error.name] || "That did not work: " + error.message;
      place.hidden = false;
    });
  });
})();
