import { useId } from "react";
import { chooseTheme, themes, useTheme } from "./theme.ts";

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
