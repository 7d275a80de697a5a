import { mark } from "@reelscript/contract/values";

type Child = Node | string | null | undefined | false;
type Handlers = { readonly [Name in `on${string}`]?: (event: Event) => void };
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** Creates an element. Texts become text nodes, so that their content is never parsed as markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes & Handlers = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes))
    if (typeof value === "function") node.addEventListener(attribute.slice(2).toLowerCase(), value);
    else if (value === true) node.setAttribute(attribute, "");
    else if (value !== undefined && value !== false) node.setAttribute(attribute, String(value));
  node.append(...present(children));
  return node;
}

export const paragraph = (text: string, kind?: "hint" | "meta"): HTMLElement => element("p", { class: kind }, text);

export const fill = (parent: Element, ...children: readonly Child[]): void =>
  parent.replaceChildren(...present(children));

const present = (children: readonly Child[]): (Node | string)[] =>
  children.filter((child) => child !== null && child !== undefined && child !== false);

const svgNamespace = "http://www.w3.org/2000/svg";

export function drawing(
  viewBox: string,
  attributes: Readonly<Record<string, string>>,
  paths: readonly Readonly<Record<string, string>>[],
): SVGSVGElement {
  const svg = document.createElementNS(svgNamespace, "svg");
  for (const [name, value] of Object.entries({ viewBox, "aria-hidden": "true", ...attributes }))
    svg.setAttribute(name, value);
  for (const path of paths) {
    const pathNode = document.createElementNS(svgNamespace, "path");
    for (const [name, value] of Object.entries(path)) pathNode.setAttribute(name, value);
    svg.append(pathNode);
  }
  return svg;
}

/** Scrolling glides, except for people who prefer less motion. */
export const scrollBehavior = (): ScrollBehavior =>
  matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";

export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The download has begun when the click returns, but it reads the text later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The mark: a frame that caption lines leave. `edge` is the color of what is behind it. */
export const logo = (size: number, frame = "currentColor", edge = "#fff"): SVGSVGElement =>
  drawing(mark.viewBox, { width: String(size), height: String(size), class: "logo" }, [
    { d: mark.frame, fill: frame },
    { d: mark.lines, fill: "#ffd84a", stroke: edge, "stroke-width": "3", "paint-order": "stroke" },
  ]);
