import { bioPresets } from "@reelscript/contract/values";
import { Button } from "../../../components/button.tsx";
import { Choice } from "../../../components/field.tsx";
import { ColorField } from "./color-field.tsx";
import { colorHints } from "../draft/color-hints.ts";
import type { Theme } from "../draft/content.ts";
import { useEditor } from "../editor-context.ts";
import { isHexColor } from "../draft/problems-of.ts";
import { ImageField } from "../images/image-field.tsx";

const presets = Object.entries(bioPresets) as [Theme["preset"], (typeof bioPresets)[Theme["preset"]]][];
const ownColors: Theme["colors"] = { text: null, button: null, buttonText: null };

export function LookPanel() {
  const { content, edit } = useEditor();
  const { theme } = content;
  const look = bioPresets[theme.preset];
  const change = (part: Partial<Theme>, topic?: string): void =>
    edit((before) => ({ ...before, theme: { ...before.theme, ...part } }), topic && `theme.${topic}`);
  const differs = theme.background !== null || Object.values(theme.colors).some((color) => color !== null);
  return (
    <section className="stack" aria-labelledby="bio-look">
      <h2 id="bio-look">Look</h2>
      <PresetChoice chosen={theme.preset} onChange={(preset) => change({ preset })} />
      {differs && (
        <div className="row wrap">
          <p className="meta grow">The page differs from {look.name} where you chose colors of your own.</p>
          <Button kind="quiet" size="small" onClick={() => change({ background: null, colors: ownColors })}>
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
            { value: "look", label: "Default" },
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
            { value: "md", label: "Default" },
            { value: "full", label: "Round" },
          ]}
          onChange={(radius) => change({ button: { ...theme.button, radius } })}
        />
      </div>
      <div className="pairs">
        <OwnColors theme={theme} onChange={change} />
        <Choice
          legend="Font"
          value={theme.font}
          options={[
            { value: "look", label: "Default" },
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

interface PresetProps {
  readonly chosen: Theme["preset"];
  readonly onChange: (preset: Theme["preset"]) => void;
}

function PresetChoice({ chosen, onChange }: PresetProps) {
  return (
    <fieldset className="looks">
      <legend className="visually-hidden">Theme</legend>
      {presets.map(([preset, { name, ground, highlight, link }]) => (
        <label
          key={preset}
          data-look={preset}
          style={{ "--look-ground": ground, "--look-highlight": highlight, "--look-link": link }}
        >
          <input
            className="visually-hidden"
            type="radio"
            name="theme.preset"
            checked={preset === chosen}
            onChange={() => onChange(preset)}
          />
          <i />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

interface ColorsProps {
  readonly theme: Theme;
  readonly onChange: (part: Partial<Theme>, topic: string) => void;
}

function OwnColors({ theme, onChange }: ColorsProps) {
  const look = bioPresets[theme.preset];
  const hints = colorHints(theme);
  const setColor = (part: Partial<Theme["colors"]>, topic: string): void =>
    onChange({ colors: { ...theme.colors, ...part } }, topic);
  return (
    <>
      <ColorField
        label="Text color"
        name="theme.colors.text"
        value={theme.colors.text}
        own={look.text}
        hint={hints.text}
        onChange={(text) => setColor({ text }, "text")}
      />
      <ColorField
        label="Link color"
        name="theme.colors.button"
        value={theme.colors.button}
        own={look.link}
        hint={hints.button}
        onChange={(button) => setColor({ button }, "button")}
      />
      <ColorField
        label="Link text color"
        name="theme.colors.buttonText"
        value={theme.colors.buttonText}
        own={look.linkText}
        hint={hints.buttonText}
        onChange={(buttonText) => setColor({ buttonText }, "buttonText")}
      />
    </>
  );
}

type Kind = "own" | NonNullable<Theme["background"]>["type"];

function BackgroundFields() {
  const { content, edit } = useEditor();
  const { background, preset } = content.theme;
  const { ground, link } = bioPresets[preset];
  const change = (next: Theme["background"], topic?: string): void =>
    edit((before) => ({ ...before, theme: { ...before.theme, background: next } }), topic);
  const [first = "", second = ""] = background?.value.split(",") ?? [];
  const choose = (kind: Kind): void => {
    const start = background?.type !== "image" && isHexColor(first) ? first : ground;
    const values = { own: "", color: start, gradient: `${start},${link}`, image: "" };
    change(kind === "own" ? null : { type: kind, value: values[kind] });
  };
  return (
    <div className="stack tight">
      <Choice<Kind>
        legend="Background"
        value={background?.type ?? "own"}
        options={[
          { value: "own", label: "Default" },
          { value: "color", label: "Color" },
          { value: "gradient", label: "Gradient" },
          { value: "image", label: "Image" },
        ]}
        onChange={choose}
      />
      {background?.type === "color" && (
        <ColorField
          label="Background color"
          name="theme.background"
          value={background.value}
          own={ground}
          clearable={false}
          onChange={(value) => change({ type: "color", value: value ?? "" }, "background")}
        />
      )}
      {background?.type === "gradient" && (
        <div className="pairs">
          <ColorField
            label="From the top"
            name="theme.background"
            value={first}
            own={ground}
            clearable={false}
            onChange={(value) => change({ type: "gradient", value: `${value ?? ""},${second}` }, "background.first")}
          />
          <ColorField
            label="To the bottom"
            name="theme.background.second"
            value={second}
            own={link}
            clearable={false}
            onChange={(value) => change({ type: "gradient", value: `${first},${value ?? ""}` }, "background.second")}
          />
        </div>
      )}
      {background?.type === "image" && (
        <ImageField
          label="Background image"
          name="theme.background"
          value={background.value || null}
          hint="Fills the page. Text sits on a panel in the theme’s color."
          onChange={(value) => change({ type: "image", value: value ?? "" }, "background")}
        />
      )}
    </div>
  );
}
