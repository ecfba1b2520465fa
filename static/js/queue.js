// window.saveQueue(): return a function that runs saves one after the other, because the site refuses a person who
// sends many at the same moment. While saves wait, the browser asks before it leaves the page.
window.saveQueue = function () {
  "use strict";
  let last = Promise.resolve();
  let waiting = 0;

  window.addEventListener("beforeunload", function (event) {
    if (waiting > 0) {
      event.preventDefault();
    }
  });

  return function (save) {
    waiting += 1;
    last = last.then(save, save).finally(() => (waiting -= 1));
    return last;
  };
};
