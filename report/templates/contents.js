// The contents say which section is being read: the last one that began above the middle of the window.
(() => {
  "use strict";

  const links = new Map(
    [...document.querySelectorAll("nav.contents a[href^='#']")].map((link) => [
      document.getElementById(link.getAttribute("href").slice(1)),
      link,
    ]),
  );
  const mark = () => {
    const above = [...links.keys()].filter(
      (section) => section && section.getBoundingClientRect().top < innerHeight / 2,
    );
    for (const [section, link] of links) {
      if (section === above.at(-1)) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
})();
