import { useState } from "react";
import { bioPresets } from "@reelscript/contract/values";
import { Button } from "../../../components/button.tsx";
import { Choice, optionsOf, Field } from "../../../components/field.tsx";
import { colorHints, type ColorHint, colorProblem, isHexColor } from "../draft/problems-of.ts";
import type { Theme } from "../draft/content.ts";
import { useEditor } from "../draft/editor-context.tsx";
import { ImageField } from "../images/image-field.tsx";
import { PresetChoice } from "./preset-choice.tsx";

const ownColors: Theme["colors"] = { text: null, button: null, buttonText: null };

export function LookPanel() {
  const { content, edit } = useEditor();
  const { theme } = content;
  const look = bioPresets[theme.preset];
  const hints = colorHints(theme);
  const change = (part: Partial<Theme>, topic?: string): void =>
    edit((before) => ({ ...before, theme: { ...before.theme, ...part } }), topic && `theme.${topic}`);
  const differs = theme.background !== null || Object.values(theme.colors).some((color) => color !== null);
  return (
    <section className="stack" aria-labelledby="bio-look">
      <h2 id="bio-look">Look</h2>
      <PresetChoice value={theme.preset} onChange={(preset) => change({ preset })} />
      {differs && (
        <div className="row wrap">
          <p className="meta grow">The page differs from {look.name} where you chose colors of your own.</p>
          <Button size="small" onClick={() => change({ background: null, colors: ownColors })}>
            Use {look.name} as it is
          </Button>
        </div>
      )}
      <BackgroundFields />
      <div className="pairs">
        <Choice
          legend="Links"
          value={theme.button.style}
          options={optionsOf({ look: "Default", fill: "Filled", outline: "Outlined", soft: "Soft" })}
          onChange={(style) => change({ button: { ...theme.button, style } })}
        />
        <Choice
          legend="Corners"
          value={theme.button.radius}
          options={optionsOf({ none: "Square", md: "Default", full: "Round" })}
          onChange={(radius) => change({ button: { ...theme.button, radius } })}
        />
      </div>
      <div className="pairs">
        {colorFields.map(({ name, label, lookField }) => (
          <ColorField
            key={name}
            label={label}
            name={`theme.colors.${name}`}
            value={theme.colors[name]}
            lookColor={look[lookField]}
            hint={hints[name]}
            onChange={(color) => change({ colors: { ...theme.colors, [name]: color } }, name)}
          />
        ))}
        <Choice
          legend="Font"
          value={theme.font}
          options={optionsOf({ look: "Default", sans: "Sans", serif: "Serif", mono: "Mono" })}
          onChange={(font) => change({ font })}
        />
      </div>
    </section>
  );
}

const colorFields = [
  { name: "text", label: "Text color", lookField: "text" },
  { name: "button", label: "Link color", lookField: "link" },
  { name: "buttonText", label: "Link text color", lookField: "linkText" },
] as const;

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
        options={optionsOf({ own: "Default", color: "Color", gradient: "Gradient", image: "Image" })}
        onChange={choose}
      />
      {background?.type === "color" && (
        <ColorField
          label="Background color"
          name="theme.background"
          value={background.value}
          lookColor={ground}
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
            lookColor={ground}
            clearable={false}
            onChange={(value) => change({ type: "gradient", value: `${value ?? ""},${second}` }, "background.first")}
          />
          <ColorField
            label="To the bottom"
            name="theme.background.second"
            value={second}
            lookColor={link}
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

interface Props {
  readonly label: string;
  readonly name: string;
  /** null: the preset's own. */
  readonly value: string | null;
  readonly lookColor: string;
  readonly hint?: ColorHint | undefined;
  readonly clearable?: boolean;
  readonly onChange: (value: string | null) => void;
}

function ColorField({ label, name, value, lookColor, hint, clearable = true, onChange }: Props) {
  const { strict } = useEditor();
  const [left, setLeft] = useState(false);
  const problem = colorProblem([value]);
  const shade = longHex(value !== null && problem === undefined ? value : lookColor);
  const better = hint?.better;
  const hintNode = hint && (
    <span>
      {hint.message}{" "}
      {better && (
        <button type="button" className="link" onClick={() => onChange(better)}>
          Try {better}
        </button>
      )}
    </span>
  );
  return (
    <Field label={label} error={(left || strict ? problem : undefined) ?? hintNode}>
      {(wiring) => (
        <div className="row color">
          <input
            type="color"
            aria-label={`${label}, picker`}
            value={shade}
            onChange={(event) => onChange(event.target.value)}
          />
          <input
            {...wiring}
            className="input"
            name={name}
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            maxLength={16}
            value={value ?? ""}
            placeholder={lookColor}
            onChange={(event) => {
              if (problem === undefined) setLeft(false);
              onChange(event.target.value || (clearable ? null : ""));
            }}
            onBlur={() => {
              setLeft(true);
              const tidied = value?.trim().replace(/^#?(?=(?:[\da-f]{3}){1,2}$)/i, "#");
              if (tidied !== undefined && tidied !== value) onChange(tidied);
            }}
          />
          {clearable && value !== null && (
            <Button kind="ghost" size="small" icon="close" iconOnly onClick={() => onChange(null)}>
              {`${label} of the look`}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

const longHex = (color: string): string => (color.length === 4 ? color.replaceAll(/[\da-f]/gi, "$&$&") : color);
