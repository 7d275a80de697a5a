import { member } from "./front-page.ts";

/** What a ruling says keeps a post from visitors, or `undefined` where it gives no reason. */
export function gateIn(ruling: unknown): "ageGated" | "regionGated" | undefined {
  const said = ["title", "description"]
    .map((name) => member(ruling, name))
    .filter((text) => typeof text === "string")
    .join("\n");
  if (/\b(?:region|country|location)\b/i.test(said)) return "regionGated";
  return /restricted|\bage\b|\b\d\d years old\b/i.test(said) ? "ageGated" : undefined;
}
