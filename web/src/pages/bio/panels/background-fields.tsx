import { bioPresets } from "@reelscript/contract/values";
import { Choice } from "../../../components/choice.tsx";
import { ColorField } from "./color-field.tsx";
import type { Theme } from "../draft/content.ts";
import { isHexColor } from "../draft/problems-of.ts";
import { useEditor } from "../editor-context.ts";
import { ImageField } from "../images/image-field.tsx";

type Kind = "own" | NonNullable<Theme["background"]>["type"];

export function BackgroundFields() {
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
