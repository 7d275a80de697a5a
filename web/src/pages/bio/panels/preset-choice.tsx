import { bioPresets } from "@reelscript/contract/values";
import type { CSSProperties } from "react";
import { classNames } from "../../../components/class-names.ts";
import type { Theme } from "../draft/content.ts";

type Preset = Theme["preset"];

const presets = Object.entries(bioPresets) as [Preset, (typeof bioPresets)[Preset]][];

const shapes: Partial<Record<Preset, CSSProperties>> = {
  light: { "--portrait-corners": "0", "--link-corners": "0" },
  dark: { "--portrait-width": "100%", "--portrait-corners": "0" },
  warm: { "--portrait-width": "18px", "--portrait-corners": "9px 9px 1px 1px" },
  cool: { "--portrait-width": "22px", "--portrait-corners": "50%", "--link-corners": "5px" },
  safelight: { "--portrait-width": "20px", "--portrait-corners": "0", "--link-corners": "0" },
  meadow: { "--portrait-width": "22px", "--portrait-corners": "62% 38% 46% 54%", "--link-corners": "8px 2px" },
  tape: { "--portrait-width": "16px", "--portrait-corners": "0", "--portrait-tilt": "-4deg", "--link-corners": "1px" },
  rose: { "--portrait-width": "17px", "--portrait-corners": "50%", "--link-corners": "4px" },
};

interface Props {
  readonly value: Preset;
  readonly onChange: (preset: Preset) => void;
  /** One row, which scrolls sideways where it doesn't fit, with its name above. */
  readonly isStrip?: boolean;
}

/** Chooses a theme, each drawn with its colors and the shapes of its portrait and links. */
export function PresetChoice({ value, onChange, isStrip = false }: Props) {
  return (
    <fieldset className={classNames("looks", isStrip && "strip-of-looks")}>
      <legend className={isStrip ? "field-label" : "visually-hidden"}>Theme</legend>
      {presets.map(([preset, { name, ground, highlight }]) => (
        <label key={preset} style={{ ...shapes[preset], "--look-ground": ground, "--look-highlight": highlight }}>
          <input
            className="visually-hidden"
            type="radio"
            name="theme.preset"
            checked={preset === value}
            onChange={() => onChange(preset)}
          />
          <i />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
