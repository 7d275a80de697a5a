import type { Input } from "@reelscript/client/core";

export type ReadCollection = { readonly collection: Input<"importReport"> } | { readonly problem: string };

/** Whether the text can be a collection of reels at all; its fields are the service's to check. */
export function parseCollection(name: string, text: string): ReadCollection {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return { problem: `${name} isn’t valid JSON. Export it again, or compare it with the example.` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || !("reels" in value))
    return {
      problem: `${name} has no reels. It needs “handle”, “timezone”, “collectedAt” and “reels”, as in the example.`,
    };
  return { collection: value as Input<"importReport"> };
}
