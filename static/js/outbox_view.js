// What outbox.js shows: the box "Not sent yet" on top of a page, and what the site said to something sent.
(function () {
  "use strict";

  function clockTime(moment) {
    return new Date(moment).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }

  function isGood(entry) {
    return entry.told.every((message) => message.level !== "error");
  }

  function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text || "";
    return made;
  }

  function place() {
    return document.querySelector("main > .page") || document.querySelector("main");
  }

  function showTold(told) {
    const box = element("div", "messages");
    told.forEach(function (message) {
      const line = element("div", `alert alert--${message.level}`);
      line.setAttribute("role", message.level === "error" ? "alert" : "status");
      line.append(element("p", "", message.text));
      box.append(line);
    });
    place().prepend(box);
  }

  function drawBox(entries, onDone) {
    document.getElementById("outbox")?.remove();
    if (entries.length === 0) {
      return;
    }
    const isWaiting = entries.some((entry) => !entry.told);
    const box = element("section", "outbox");
    box.id = "outbox";
    box.classList.toggle("outbox--sent", entries.every((entry) => entry.told && isGood(entry)));
    box.tabIndex = -1;
    box.setAttribute("role", "status");
    box.append(element("h2", "outbox__title", isWaiting ? "Not sent yet" : "Sent"));
    if (isWaiting) {
      box.append(element("p", "", "The site does not answer. It is sent by itself, once, when there is a signal: leave this page open, or open it again."));
    }
    const list = element("ul", "outbox__list");
    entries.forEach((entry) => list.append(row(entry, onDone)));
    box.append(list);
    place().prepend(box);
  }

  function row(entry, onDone) {
    const line = element("li", "outbox__entry");
    const words = element("div", "outbox__words");
    words.append(element("strong", "", entry.what), element("span", "muted", ` written at ${clockTime(entry.at)}`));
    (entry.told || []).forEach((message) => words.append(element("p", `outbox__told outbox__told--${message.level}`, message.text)));
    const button = element("button", "button button--small", entry.told ? "OK" : "Throw away");
    button.type = "button";
    button.append(element("span", "visually-hidden", `: ${entry.what}`));
    button.addEventListener("click", () => onDone(entry));
    line.append(words, button);
    return line;
  }

  window.outboxView = { drawBox, isGood, showTold };
})();
