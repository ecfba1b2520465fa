// <iframe data-src="URL">: load the frames one after another. The site refuses too many requests of a reader at once.
(function () {
  "use strict";
  function loadNext() {
    const frame = document.querySelector("iframe[data-src]");
    if (frame) {
      frame.addEventListener("load", loadNext, { once: true });
      frame.src = frame.dataset.src;
      frame.removeAttribute("data-src");
    }
  }

  loadNext();
  document.addEventListener("datafort:fresh", loadNext); // The poll has replaced the frames.
})();
