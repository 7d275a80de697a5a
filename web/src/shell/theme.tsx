import { useSyncExternalStore, useId } from "react";

const key = "theme";
const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const listeners = new Set<() => void>();
const systemDark = matchMedia("(prefers-color-scheme: dark)");

function read(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}

let chosen = read();

function show(): void {
  const dark = chosen === "dark" || (chosen === "system" && systemDark.matches);
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  for (const listener of listeners) listener();
}
systemDark.addEventListener("change", show);
// Another window of the dashboard may choose too.
addEventListener("storage", (event) => {
  if (event.key !== key) return;
  chosen = read();
  show();
});

export function chooseTheme(theme: Theme): void {
  chosen = theme;
  try {
    if (theme === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Storage may be forbidden; the choice holds for this visit then.
  }
  show();
}

const useTheme = (): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosen,
  );

const labels = { system: "System", light: "Light", dark: "Dark" };

export function ThemeChoice() {
  const theme = useTheme();
  const name = useId();
  return (
    <fieldset className="themes">
      <legend>Theme</legend>
      <div className="segments">
        {themes.map((one) => (
          <label key={one}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              value={one}
              checked={one === theme}
              onChange={() => chooseTheme(one)}
            />
            <span>{labels[one]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
