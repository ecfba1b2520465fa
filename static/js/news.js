// <div data-news="3/12" data-news-page="/...">: announce new pairings in the page title and in a banner while a page of
// the event is open. The value is round/table: "3/12", "3/bye" for a bye, "3/-" for a reader without a seat.
// The round number only orders the news. It is not shown, because rounds of a cut have names.
// Polled fragments return the current value in the X-News header; poll.js passes it on. The element has the messages,
// with {table} for the table and {page} for the title of the page.
(function () {
  "use strict";
  const place = document.querySelector("[data-news]");
  if (!place) {
    return;
  }
  const plainTitle = document.title;
  const isOwnPage = place.dataset.newsHere === "me";
  let known = place.dataset.news;

  function split(news) {
    const [round, seat] = news.split("/");
    return { round: Number(round), seat };
  }

  // The message of this name for a table, a bye or a reader without a seat.
  function message(name, seat) {
    const kind = { "bye": "Bye", "-": "" }[seat] ?? "Table";
    return place.dataset[name + kind].replace("{table}", seat);
  }

  function title(news) {
    const { round, seat } = split(news);
    return round ? message("newsTitle", seat).replace("{page}", () => plainTitle) : plainTitle;
  }

  function banner(words) {
    const line = document.createElement("p");
    line.textContent = `${words} `;
    const way = document.createElement("a");
    way.href = place.dataset.newsPage;
    way.textContent = place.dataset.newsLook;
    const close = document.createElement("button");
    close.type = "button";
    close.className = "button button--small";
    close.textContent = place.dataset.newsClose;
    close.addEventListener("click", () => place.replaceChildren());
    line.append(way);
    place.replaceChildren(line, close);
  }

  function tell(news) {
    const before = split(known);
    const now = split(news);
    known = news;
    if (now.round < before.round) {
      document.title = plainTitle; // The round was unpublished.
      place.replaceChildren();
      return;
    }
    document.title = title(news);
    if (!isOwnPage) {
      banner(message(now.round > before.round ? "newsPublished" : "newsChanged", now.seat));
    }
  }

  if (isOwnPage && split(known).seat !== "-") {
    document.title = title(known);
  }
  document.addEventListener("datafort:fresh", function (event) {
    const news = event.detail && event.detail.news;
    if (news && news !== known) {
      tell(news);
    }
  });
})();
