import { bioPresets } from "@reelscript/contract/values";
import { Button } from "../../components/button.tsx";
import { BackgroundFields } from "./background-fields.tsx";
import { Choice } from "./choice.tsx";
import { ColourField } from "./colour-field.tsx";
import { colourHints } from "./draft/colour-hints.ts";
import type { Theme } from "./draft/content.ts";
import { useEditor } from "./editor-context.ts";

const presets = Object.entries(bioPresets) as [Theme["preset"], (typeof bioPresets)[Theme["preset"]]][];
const ownColours: Theme["colors"] = { text: null, button: null, buttonText: null };

export function LookPanel() {
  const { content, edit } = useEditor();
  const { theme } = content;
  const look = bioPresets[theme.preset];
  const hints = colourHints(theme);
  const change = (part: Partial<Theme>, topic?: string): void =>
    edit((before) => ({ ...before, theme: { ...before.theme, ...part } }), topic && `theme.${topic}`);
  const setColour = (part: Partial<Theme["colors"]>, topic: string): void =>
    change({ colors: { ...theme.colors, ...part } }, topic);
  const differs = theme.background !== null || Object.values(theme.colors).some((colour) => colour !== null);
  return (
    <section className="stack" aria-labelledby="bio-look">
      <h2 id="bio-look">Look</h2>
      <fieldset className="looks">
        <legend className="vh">Theme</legend>
        {presets.map(([preset, { name, ground, highlight }]) => (
          <label key={preset} style={{ "--p": ground, "--q": highlight }}>
            <input
              className="vh"
              type="radio"
              name="theme.preset"
              checked={preset === theme.preset}
              onChange={() => change({ preset })}
            />
            <i />
            {name}
          </label>
        ))}
      </fieldset>
      {differs && (
        <div className="row wrap">
          <p className="meta grow">The page differs from {look.name} where you chose colours of your own.</p>
          <Button kind="quiet" size="small" onClick={() => change({ background: null, colors: ownColours })}>
            Use {look.name} as it is
          </Button>
        </div>
      )}
      <BackgroundFields />
      <div className="pairs">
        <Choice
          legend="Links"
          value={theme.button.style}
          options={[
            { value: "fill", label: "Filled" },
            { value: "outline", label: "Outlined" },
            { value: "soft", label: "Soft" },
          ]}
          onChange={(style) => change({ button: { ...theme.button, style } })}
        />
        <Choice
          legend="Corners"
          value={theme.button.radius}
          options={[
            { value: "none", label: "Square" },
            { value: "md", label: "Of the look" },
            { value: "full", label: "Round" },
          ]}
          onChange={(radius) => change({ button: { ...theme.button, radius } })}
        />
      </div>
      <div className="pairs">
        <ColourField
          label="Text colour"
          name="theme.colors.text"
          value={theme.colors.text}
          own={look.text}
          hint={hints.text}
          onChange={(text) => setColour({ text }, "text")}
        />
        <ColourField
          label="Link colour"
          name="theme.colors.button"
          value={theme.colors.button}
          own={look.link}
          hint={hints.button}
          onChange={(button) => setColour({ button }, "button")}
        />
        <ColourField
          label="Link text colour"
          name="theme.colors.buttonText"
          value={theme.colors.buttonText}
          own={look.linkText}
          hint={hints.buttonText}
          onChange={(buttonText) => setColour({ buttonText }, "buttonText")}
        />
        <Choice
          legend="Font"
          value={theme.font}
          options={[
            { value: "sans", label: "Sans" },
            { value: "serif", label: "Serif" },
            { value: "mono", label: "Mono" },
          ]}
          onChange={(font) => change({ font })}
        />
      </div>
    </section>
  );
}
