import type { Input } from "../../api/operation-types.ts";

export type ReadCollection = { readonly collection: Input<"importReport"> } | { readonly problem: string };

/** Whether the text can be a collection of reels at all; its fields are the service's to check. */
export function parseCollection(name: string, text: string): ReadCollection {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message})` : "";
    return { problem: `${name} is not JSON${reason}. Nothing was counted.` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || !("reels" in value))
    return {
      problem: `${name} is not a collection of reels: it needs “handle”, “timezone”, “collectedAt” and “reels”. Nothing was counted.`,
    };
  return { collection: value as Input<"importReport"> };
}
