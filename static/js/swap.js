// Drag a player of a draft onto another player to swap them. Problems are shown during the drag, and dropping submits
// the checkbox form. Breaking a rule requires confirmation. Without this script, and by keyboard, use the checkboxes.
(function () {
  "use strict";
  // Look elements up on each use: re-pairing replaces them.
  const draft = () => document.querySelector("[data-swap-preview]");
  const form = () => document.getElementById("swap");
  const bar = () => document.getElementById("swap-bar");
  const STARTS_AT = 6; // pixels; a shorter move is a tap
  const EDGE = 40; // pixels from the edge of the window where scrolling starts
  const STEP = 10; // pixels per frame
  let drag = null;

  function tick(numbers) {
    draft().querySelectorAll("input[name='player']").forEach((box) => (box.checked = numbers.includes(box.value)));
  }

  async function preview(numbers) {
    const address = new URL(draft().dataset.swapPreview, window.location.href);
    numbers.forEach((number) => address.searchParams.append("player", number));
    const answer = await fetch(address, { credentials: "same-origin" });
    if (!answer.ok) {
      throw new Error(`The site answered ${answer.status}.`);
    }
    return answer.text();
  }

  class Drag {
    constructor(grip, event) {
      this.seat = grip.closest("[data-seat]");
      this.from = { x: event.clientX, y: event.clientY };
      this.at = this.from;
      this.target = null;
      this.asked = Promise.resolve();
    }

    get hasBegun() {
      return this.ghost !== undefined;
    }

    move(event) {
      this.at = { x: event.clientX, y: event.clientY };
      if (!this.hasBegun && Math.hypot(this.at.x - this.from.x, this.at.y - this.from.y) < STARTS_AT) {
        return;
      }
      if (!this.hasBegun) {
        this.begin();
      }
      this.follow();
    }

    begin() {
      this.ghost = document.createElement("p");
      this.ghost.className = "drag-ghost";
      this.ghost.textContent = this.seat.querySelector(".seat__name").textContent.trim();
      document.body.append(this.ghost);
      this.seat.classList.add("is-dragged");
      this.bar = bar().innerHTML;
      this.frame = requestAnimationFrame(() => this.scroll());
    }

    scroll() {
      const floor = window.innerHeight - form().offsetHeight - EDGE;
      if (this.at.y < EDGE) {
        window.scrollBy({ top: -STEP, behavior: "instant" });
      } else if (this.at.y > floor) {
        window.scrollBy({ top: STEP, behavior: "instant" });
      }
      this.follow();
      this.frame = requestAnimationFrame(() => this.scroll());
    }

    follow() {
      this.ghost.style.transform = `translate(${this.at.x}px, ${this.at.y}px)`;
      const under = document.elementFromPoint(this.at.x, this.at.y);
      const seat = under ? under.closest("[data-seat]") : null;
      this.aim(seat === this.seat ? null : seat);
    }

    aim(seat) {
      if (seat === this.target) {
        return;
      }
      this.target?.classList.remove("is-target");
      this.target = seat;
      if (seat) {
        seat.classList.add("is-target");
        this.asked = this.ask(seat);
      } else {
        bar().innerHTML = this.bar;
      }
    }

    // Ignore the response for a seat that is no longer the target.
    async ask(seat) {
      const html = await preview([this.seat.dataset.seat, seat.dataset.seat]);
      if (seat === this.target) {
        bar().innerHTML = html;
      }
    }

    end() {
      cancelAnimationFrame(this.frame);
      this.ghost?.remove();
      this.seat.classList.remove("is-dragged");
      this.target?.classList.remove("is-target");
    }

    async drop() {
      this.end();
      if (!this.target) {
        return;
      }
      tick([this.seat.dataset.seat, this.target.dataset.seat]);
      // If the preview failed, the site checks the swap on submission.
      await this.asked.catch(() => undefined);
      if (bar().querySelector("[data-asks]")) {
        bar().querySelector("button").focus();
      } else {
        form().requestSubmit();
      }
    }
  }

  function cancel() {
    drag?.aim(null);
    drag?.end();
    drag = null;
  }

  document.addEventListener("pointerdown", function (event) {
    const grip = event.target.closest("[data-grip]");
    if (grip && event.button === 0 && !drag) {
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
      drag = new Drag(grip, event);
    }
  });
  document.addEventListener("pointermove", (event) => drag?.move(event));
  document.addEventListener("pointerup", function () {
    const done = drag;
    drag = null;
    done?.drop();
  });
  document.addEventListener("pointercancel", cancel);
  // The grip is inside the label of the checkbox: a drag must not toggle it.
  document.addEventListener("click", function (event) {
    if (event.target.closest("[data-grip]")) {
      event.preventDefault();
    }
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && drag) {
      cancel();
    }
  });
})();
