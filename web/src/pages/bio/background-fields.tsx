import { bioPresets } from "@reelscript/contract/values";
import { Choice } from "./choice.tsx";
import { ColourField } from "./colour-field.tsx";
import type { Theme } from "./draft/content.ts";
import { isHexColour } from "./draft/problems-of.ts";
import { useEditor } from "./editor-context.ts";
import { UrlInput } from "./url-input.tsx";

type Kind = "own" | NonNullable<Theme["background"]>["type"];

export function BackgroundFields() {
  const { content, edit } = useEditor();
  const { background, preset } = content.theme;
  const { ground, link } = bioPresets[preset];
  const change = (next: Theme["background"], topic?: string): void =>
    edit((before) => ({ ...before, theme: { ...before.theme, background: next } }), topic);
  const [first = "", second = ""] = background?.value.split(",") ?? [];
  const choose = (kind: Kind): void => {
    const start = background?.type !== "image" && isHexColour(first) ? first : ground;
    const values = { own: "", color: start, gradient: `${start},${link}`, image: "" };
    change(kind === "own" ? null : { type: kind, value: values[kind] });
  };
  return (
    <div className="stack t">
      <Choice<Kind>
        legend="Background"
        value={background?.type ?? "own"}
        options={[
          { value: "own", label: "Of the look" },
          { value: "color", label: "Colour" },
          { value: "gradient", label: "Gradient" },
          { value: "image", label: "Image" },
        ]}
        onChange={choose}
      />
      {background?.type === "color" && (
        <ColourField
          label="Background colour"
          name="theme.background"
          value={background.value}
          own={ground}
          clearable={false}
          onChange={(value) => change({ type: "color", value: value ?? "" }, "background")}
        />
      )}
      {background?.type === "gradient" && (
        <div className="pairs">
          <ColourField
            label="From the top"
            name="theme.background"
            value={first}
            own={ground}
            clearable={false}
            onChange={(value) => change({ type: "gradient", value: `${value ?? ""},${second}` }, "background.first")}
          />
          <ColourField
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
        <UrlInput
          label="Image URL"
          name="theme.background"
          value={background.value}
          hint="Shown behind everything; the words lie on a sheet of the look's colour."
          onChange={(value) => change({ type: "image", value }, "background")}
        />
      )}
    </div>
  );
}
