import { drawing, element } from "./element.ts";
import { drawings, type IconName } from "./drawings.ts";
import { logo } from "./logo.ts";

export const icon = (name: IconName, size = 16): SVGSVGElement =>
  drawing("0 0 24 24", { class: "icon", width: String(size), height: String(size) }, [{ d: drawings[name] }]);

interface ButtonOptions {
  readonly kind?: "ink" | "quiet" | "ghost" | "danger";
  readonly icon?: IconName;
  readonly isLarge?: boolean;
  readonly isGrowing?: boolean;
}

export function button(
  label: string,
  press: () => void | Promise<void>,
  { kind = "ink", icon: name, isLarge = false, isGrowing = false }: ButtonOptions = {},
): HTMLButtonElement {
  const classes = ["button", kind !== "ink" && kind, isLarge && "large", isGrowing && "grow"].filter(Boolean);
  return element(
    "button",
    { type: "button", class: classes.join(" "), onClick: () => void press() },
    name && icon(name),
    label,
  );
}

/** A link that looks like a button and opens a tab. */
export const linkButton = (
  label: string,
  address: string,
  { kind = "quiet", icon: name, isGrowing = false }: ButtonOptions = {},
): HTMLAnchorElement =>
  element(
    "a",
    {
      class: ["button", kind !== "ink" && kind, isGrowing && "grow"].filter(Boolean).join(" "),
      href: address,
      target: "_blank",
      rel: "noopener",
    },
    name && icon(name),
    label,
  );

export const note = (kind: "plain" | "bad" | "warn", ...children: readonly (Node | string)[]): HTMLElement =>
  element(
    "div",
    { class: kind === "plain" ? "note" : `note ${kind}`, role: kind === "plain" ? "status" : "alert" },
    icon(kind === "plain" ? "clock" : "warn"),
    element("div", {}, ...children),
  );

/** A bar of what is used or done; `set` moves it. */
export function meter(label: string, kind: "use" | "voice" = "use") {
  const bar = element("i");
  const node = element(
    "span",
    {
      class: kind === "voice" ? "meter voice" : "meter",
      role: kind === "voice" ? "progressbar" : "meter",
      "aria-label": label,
      "aria-valuemin": 0,
      "aria-valuemax": 100,
    },
    bar,
  );
  return {
    node,
    set(part: number): void {
      const bounded = Math.max(0, Math.min(1, part));
      node.setAttribute("aria-valuenow", String(Math.round(bounded * 100)));
      bar.style.inlineSize = `${bounded * 100}%`;
      if (kind === "use") {
        node.classList.toggle("almost", bounded >= 0.9 && bounded < 1);
        node.classList.toggle("full", bounded >= 1);
      }
    },
  };
}

export const brand = (): HTMLElement =>
  element("span", { class: "brand" }, logo(26, "var(--ink)", "var(--sheet)"), "Reelscript");

/** What is here when nothing is: a title, one sentence, one button. */
export const empty = (title: string, sentence: string, ...actions: readonly Node[]): HTMLElement =>
  element(
    "div",
    { class: "empty" },
    logo(72, "var(--ink)", "var(--sheet)"),
    element("h2", {}, title),
    element("p", {}, sentence),
    ...actions,
  );
