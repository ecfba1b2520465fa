// Served at /sw.js, after a line `const SITE = {version, files, page, static, doors, exits}`.
// Caches the static files of this version and the last state of pages with `data-keep`. Requests go to the network
// first. A cached page is shown only without a response or during an outage (503), and states its age.
"use strict";
const FILES = `datafort-files-${SITE.version}`;
const PAGES = "datafort-pages";
const READER = "/reader"; // cache key, not an address; stores the reader of the cached pages
const PATIENCE = 8000; // milliseconds until a cached page is shown instead
const MAX_PAGES = 60;
const GONE = [403, 404, 410];
const AWAY = 503;
let turn = Promise.resolve(); // changes to the page cache run in sequence
let epoch = 0; // responses requested before the pages were cleared are not cached

self.addEventListener("install", function (event) {
  event.waitUntil(
    caches
      .open(FILES)
      .then((files) => files.addAll([...SITE.files, new Request(SITE.page, { credentials: "omit" })]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", function (event) {
  event.waitUntil(forgetOldFiles().then(() => self.clients.claim()));
});

self.addEventListener("message", function (event) {
  if (event.data.keep) {
    event.waitUntil(Promise.all(event.data.keep.map(fetchAndKeep)));
  }
});

self.addEventListener("fetch", function (event) {
  const request = event.request;
  const url = new URL(request.url);
  if (url.origin !== location.origin) {
    return;
  }
  if (request.method !== "GET") {
    // After a login, logout or another player's link, the pages of the previous reader must go.
    if (SITE.doors.some((door) => url.pathname.startsWith(door))) {
      event.waitUntil(forgetPages());
    }
    if (SITE.exits.some((exit) => url.pathname.startsWith(exit))) {
      event.waitUntil(hearNoMore());
    }
  } else if (url.pathname.startsWith(SITE.static)) {
    event.respondWith(file(request));
  } else if (request.mode === "navigate") {
    event.respondWith(page(event));
  } else if (request.headers.get("X-Fragment") === "1") {
    event.respondWith(part(event));
  }
});

// Push message for the player of this phone: {title, body, page, tag}.
self.addEventListener("push", function (event) {
  const news = event.data.json();
  const shown = { body: news.body, tag: news.tag, renotify: true, data: news.page };
  event.waitUntil(self.registration.showNotification(news.title, shown));
});

self.addEventListener("notificationclick", function (event) {
  event.notification.close();
  event.waitUntil(show(new URL(event.notification.data, location.origin).href));
});

// The next user of the phone must not see the tables of the previous one.
async function hearNoMore() {
  const subscription = await self.registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

async function show(address) {
  const windows = await self.clients.matchAll({ type: "window" });
  const there = windows.find((page) => page.url.split("#")[0] === address);
  return there ? there.focus() : self.clients.openWindow(address);
}

async function forgetOldFiles() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== FILES && name !== PAGES).map((name) => caches.delete(name)));
}

// Static files have their version in the name, so a cached file is always valid.
async function file(request) {
  const files = await caches.open(FILES);
  return (await files.match(request)) || fetch(request);
}

async function page(event) {
  const asked = epoch;
  const url = addressOf(event.request.url);
  const answer = fetch(event.request);
  try {
    const found = (await isKept(url)) ? await inTime(answer) : await answer;
    event.waitUntil(keep(url, found.clone(), asked));
    return found.status === AWAY ? (await keptPage(url, "fault")) || found : found;
  } catch (error) {
    return (await keptPage(url, "signal")) || (await caches.open(FILES)).match(SITE.page);
  }
}

async function part(event) {
  const asked = epoch;
  const answer = await fetch(event.request);
  const url = addressOf(event.request.url);
  if (answer.status === 200 && !answer.redirected) {
    event.waitUntil(keepPart(url, answer.clone(), asked));
  } else if (GONE.includes(answer.status)) {
    event.waitUntil(drop(url, asked));
  }
  return answer;
}

function inTime(answer) {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("No answer in time.")), PATIENCE));
  return Promise.race([answer, late]);
}

async function fetchAndKeep(url) {
  const asked = epoch;
  const answer = await fetch(url, { credentials: "same-origin" });
  if (!answer.redirected) {
    await keep(addressOf(url), answer, asked);
  }
}

// --- The cached pages of one reader

function addressOf(url) {
  const address = new URL(url);
  address.hash = "";
  if (address.pathname.endsWith("/report/")) {
    address.search = ""; // All results share one form; usual_results.js selects the result from the address.
  }
  return address.href;
}

function partOf(url) {
  return `${url}${url.includes("?") ? "&" : "?"}part`;
}

function inTurn(change) {
  turn = turn.then(change, change);
  return turn;
}

function forgetPages() {
  epoch += 1;
  return inTurn(() => caches.delete(PAGES));
}

async function isKept(url) {
  return (await (await caches.open(PAGES)).match(url, { ignoreVary: true })) !== undefined;
}

// A page that this reader may no longer see must not be available offline either.
function drop(url, asked) {
  return inTurn(async function () {
    if (asked === epoch) {
      const pages = await caches.open(PAGES);
      await Promise.all([pages.delete(url, { ignoreVary: true }), pages.delete(partOf(url), { ignoreVary: true })]);
    }
  });
}

async function keep(url, answer, asked) {
  if (GONE.includes(answer.status)) {
    await drop(url, asked);
    return;
  }
  if (!answer.ok || !(answer.headers.get("Content-Type") || "").startsWith("text/html")) {
    return;
  }
  const text = await answer.text();
  const body = /<body[^>]* data-reader="(\w*)"[^>]*>/.exec(text);
  if (body === null) {
    return;
  }
  await inTurn(async function () {
    if (asked !== epoch) {
      return;
    }
    const pages = await pagesOf(body[1]);
    if (body[0].includes(" data-keep")) {
      await pages.put(url, dated(text, answer.headers));
      await pages.delete(partOf(url));
      await dropOldest(pages);
    }
  });
}

function keepPart(url, answer, asked) {
  return inTurn(async function () {
    const pages = await caches.open(PAGES);
    if (asked === epoch && (await pages.match(url, { ignoreVary: true }))) {
      await pages.put(partOf(url), dated(await answer.text(), answer.headers));
    }
  });
}

// If the reader has changed, delete the pages of the previous reader.
async function pagesOf(reader) {
  const pages = await caches.open(PAGES);
  const last = await pages.match(READER);
  if (last !== undefined && (await last.text()) === reader) {
    return pages;
  }
  await caches.delete(PAGES);
  const empty = await caches.open(PAGES);
  await empty.put(READER, new Response(reader));
  return empty;
}

async function dropOldest(pages) {
  const kept = (await pages.keys()).filter((request) => new URL(request.url).pathname !== READER);
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MAX_PAGES)).map((request) => pages.delete(request)));
}

function dated(text, from) {
  const headers = new Headers(from);
  ["Content-Encoding", "Content-Length", "ETag", "Vary"].forEach((name) => headers.delete(name));
  headers.set("Kept-At", new Date().toISOString());
  return new Response(text, { headers });
}

// Return the cached page with its time, the reason for showing it, and a newer fragment if there is one.
async function keptPage(url, lack) {
  const pages = await caches.open(PAGES);
  const kept = await pages.match(url, { ignoreVary: true });
  if (kept === undefined) {
    return undefined;
  }
  const newest = await pages.match(partOf(url), { ignoreVary: true });
  const at = (newest || kept).headers.get("Kept-At");
  let text = (await kept.text()).replace("<html ", `<html data-kept-at="${at}" data-lack="${lack}" `);
  if (newest) {
    const template = `<template data-newest>${await newest.text()}</template>`;
    text = text.replace("</main>", () => `${template}</main>`);
  }
  return new Response(text, { headers: kept.headers });
}
