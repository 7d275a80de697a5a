import { note } from "../interface/controls.ts";
import { element } from "../interface/element.ts";
import type { Trouble } from "../service/call.ts";

const warnings: ReadonlySet<string> = new Set(["rateLimited", "inProgress", "unavailable", "unreachable"]);

/** What went wrong, in the service's own words, and what can be done. */
export const troubleNote = (trouble: Trouble, ...actions: readonly Node[]): HTMLElement =>
  note(
    warnings.has(trouble.code) ? "warn" : "bad",
    element("p", {}, trouble.message),
    ...(actions.length > 0 ? [element("div", { class: "row wrap" }, ...actions)] : []),
  );
