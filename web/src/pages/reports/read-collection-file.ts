import { operationTable } from "virtual:operation-table";
import type { Input } from "../../api/operation-types.ts";

type Read = { readonly collection: Input<"importReport"> } | { readonly problem: string };

const mostBytes = operationTable["importReport"]?.maxBodyBytes ?? Number.POSITIVE_INFINITY;

/** A file of collected reels. What is wrong in its fields the service tells, which checks them all. */
export async function readCollectionFile(file: Pick<File, "name" | "size" | "text">): Promise<Read> {
  if (file.size > mostBytes)
    return { problem: `${file.name} is larger than ${Math.floor(mostBytes / 1_048_576)} MB. Collect fewer reels.` };
  const text = await file.text().catch(() => undefined);
  if (text === undefined) return { problem: `${file.name} cannot be read. Nothing was counted.` };
  return parseCollection(file.name, text);
}

export function parseCollection(name: string, text: string): Read {
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
