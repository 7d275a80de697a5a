// Copies code, finds operations by words, and marks in the contents what is being read. Without it the page has all the same.
const contents = document.querySelector(".contents");
const search = document.querySelector("#search");
const matchCount = document.querySelector("#found");
const copiedMilliseconds = 2_000;

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("button.copy");
  if (button === null) return;
  const code = button.parentElement.querySelector("code");
  const label = button.getAttribute("aria-label");
  if (button.textContent !== "Copy") return;
  button.textContent = (await copy(code)) ? "Copied" : "Selected";
  button.setAttribute("aria-label", button.textContent);
  setTimeout(() => {
    button.textContent = "Copy";
    button.setAttribute("aria-label", label);
  }, copiedMilliseconds);
});

async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    // Over plain http there is no clipboard; what is selected can be copied by hand.
    getSelection().selectAllChildren(code);
    return false;
  }
}

const parts = Array.from(document.querySelectorAll("article, .part, #reasons ~ table tbody tr"), (element) => ({
  element,
  text: element.textContent.toLowerCase(),
}));
const sections = document.querySelectorAll(".text > section");

search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const isSearching = words.length > 0;
  let operations = 0;
  for (const { element, text } of parts) {
    element.hidden = !words.every((word) => text.includes(word));
    if (!element.hidden && element.localName === "article") operations += 1;
  }
  const sectionsFound = new Set(
    parts.flatMap(({ element }) => (element.hidden ? [] : [element.closest(".text > section")])),
  );
  for (const section of sections) section.hidden = isSearching && !sectionsFound.has(section);
  for (const item of document.querySelectorAll(".contents li, .within li")) {
    const at = document.getElementById(item.querySelector("a").hash.slice(1));
    item.hidden = at?.closest("[hidden]") != null;
  }
  matchCount.textContent = isSearching ? (operations === 1 ? "1 operation" : `${operations} operations`) : "";
  mark();
});

const headings = Array.from(contents.querySelectorAll("a"), (link) => ({
  link,
  heading: document.getElementById(link.hash.slice(1)),
})).filter(({ heading }) => heading !== null);
let marked;

/** The last heading above the upper third of the window is what is being read. */
function mark() {
  const line = innerHeight / 3;
  const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  const visibleHeadings = headings.filter(({ heading }) => heading.getClientRects().length > 0);
  const passed = visibleHeadings.filter(({ heading }) => isAtEnd || heading.getBoundingClientRect().top <= line);
  const next = (passed.at(-1) ?? visibleHeadings[0])?.link;
  if (next === marked) return;
  marked?.removeAttribute("aria-current");
  next?.setAttribute("aria-current", "location");
  marked = next;
  if (next === undefined) return;
  const { offsetTop, offsetHeight } = next;
  const isSeen =
    offsetTop >= contents.scrollTop && offsetTop + offsetHeight <= contents.scrollTop + contents.clientHeight;
  if (!isSeen) contents.scrollTop = offsetTop - contents.clientHeight / 2;
}

let isWaiting = false;
addEventListener(
  "scroll",
  () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      mark();
    });
  },
  { passive: true },
);
addEventListener("resize", mark);
mark();
