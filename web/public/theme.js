// Runs before anything is painted, so that a dark page does not flash white. The choice is made in src/shell/theme.ts.
{
  let choice = null;
  try {
    choice = localStorage.getItem("theme");
  } catch {
    // Storage may be forbidden; the system's choice holds then.
  }
  const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}
