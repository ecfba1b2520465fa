// Show elements with data-passkey only if the browser supports passkeys, over https or on localhost.
// Errors between browser and key are shown in elements with data-passkey-error; the script element has the messages.
(function () {
  "use strict";
  const MESSAGES = document.currentScript.dataset;
  const KNOWN_ERRORS = {
    NotAllowedError: MESSAGES.notAllowed,
    InvalidStateError: MESSAGES.invalidState,
    SecurityError: MESSAGES.security,
    NotSupportedError: MESSAGES.notSupported,
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
      place.textContent = KNOWN_ERRORS[error.name] || MESSAGES.unknown.replace("{error}", () => error.message);
      place.hidden = false;
    });
  });
})();
