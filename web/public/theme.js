// Runs before anything is painted, so that a dark page does not flash white, and names the page for frame.css. The choice is made in src/components/theme.tsx.
{
  let choice = null;
  try {
    choice = localStorage.getItem("theme");
  } catch {
    // Storage may be forbidden; the system's choice holds then.
  }
  const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const page = location.pathname.split("/")[2] || "library";
  document.documentElement.dataset.page = page;
  const names = { bio: "Bio page", usage: "Usage and plan" };
  const isNamed = /^(library|transcribe|reports|bio|analytics|guides|usage|settings)$/.test(page);
  const name = names[page] ?? page.replace(/^./, (letter) => letter.toUpperCase());
  if (isNamed) document.documentElement.style.setProperty("--name", `"${name}"`);
}
