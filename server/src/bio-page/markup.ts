import { raw } from "hono/html";
import type { Markup } from "../markup.ts";

export { markup, styleMarkup, type Markup } from "../markup.ts";

/** JSON that ends neither a script nor a comment. */
export const jsonMarkup = (value: unknown): Markup => raw(JSON.stringify(value).replaceAll("<", "\\u003c"));
