import { markShapes } from "@reelscript/contract/values";
import { html, raw } from "hono/html";

/** Text that may appear in a page as it is. */
export type Markup = ReturnType<typeof raw>;
type Part = string | number | boolean | null | undefined | Markup | readonly Part[];

/** A piece of a page; inserted values are escaped unless they are pieces themselves. */
export const markup = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  html(strings, ...parts) as Markup; // safe: it is a promise only when a part is one

/** A style that its maker vouches for: it holds no `<`. */
export const styleMarkup = (style: string): Markup => raw(style);

/** A script that its maker vouches for: it holds no `<`. */
export const scriptMarkup = (script: string): Markup => raw(script);

/** JSON that ends neither a script nor a comment. */
export const jsonMarkup = (value: unknown): Markup => raw(JSON.stringify(value).replaceAll("<", "\\u003c"));

/** Our mark, on a page with tokens; `edge` is the color of what is behind it. */
export const brandMark = (edge: "var(--base)" | "var(--sheet)"): Markup =>
  raw(
    `<svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">${markShapes({ frame: "var(--ink)", edge })}</svg>`,
  );
