import { keep, readKept } from "../api/browser-storage.ts";
import { createStore } from "../api/create-store.ts";
import { Choice, optionsOf } from "./field.tsx";

const key = "theme";
const labels = { system: "System", light: "Light", dark: "Dark" } as const;
type Theme = keyof typeof labels;

const systemDark = matchMedia("(prefers-color-scheme: dark)");

function read(): Theme {
  const storedTheme = readKept(key);
  return storedTheme === "light" || storedTheme === "dark" ? storedTheme : "system";
}

const themeStore = createStore(read());

function show(): void {
  const theme = themeStore.current();
  const dark = theme === "dark" || (theme === "system" && systemDark.matches);
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
}
themeStore.subscribe(show);
systemDark.addEventListener("change", show);
// The theme may also change in another window of the dashboard.
addEventListener("storage", (event) => {
  if (event.key === key) themeStore.set(read());
});

/** If storage is forbidden, the choice holds for this visit. */
export function chooseTheme(theme: Theme): void {
  keep(key, theme === "system" ? null : theme);
  themeStore.set(theme);
}

export const ThemeChoice = () => (
  <Choice
    legend="Theme"
    className="themes"
    value={themeStore.useValue()}
    options={optionsOf(labels)}
    onChange={chooseTheme}
  />
);
