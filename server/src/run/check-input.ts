import { createHash } from "node:crypto";
import { allOperations, fieldsInPath, type AnyOperationName, type Operation } from "@reelscript/contract";
import type { CheckedInput, PackedJson } from "../ports.ts";
import { readInput, refuseZeros } from "./read-input.ts";

/**
 * Fields whose length is that of a long body, and that only a long job reads: handlers get them packed, so that the main thread
 * has bytes to pass on and no objects.
 */
const packedFields = { importReport: "reels" } as const;

export type PackedFields = typeof packedFields;

const packedFieldOf = new Map<string, string>(Object.entries(packedFields));

const pathFieldsOf = new Map<string, readonly string[]>(
  Object.entries(allOperations).map(([name, { http }]) => [name, fieldsInPath(http.path)]),
);

/** Reads an operation's input, with its digest if it is wanted. Throws `invalidRequest`. */
export function checkInput(name: AnyOperationName, given: unknown, wantsDigest: boolean): CheckedInput {
  const operation: Operation = allOperations[name];
  const input = readInput(operation.input, given);
  // Public operations don't query the database. Elsewhere a path field with U+0000 is simply not found.
  if (operation.access !== "public") refuseZeros(input, pathFieldsOf.get(name) ?? []);
  const field = packedFieldOf.get(name);
  return {
    input: field === undefined ? input : { ...input, [field]: pack(input[field]) },
    digest: wantsDigest ? digestOf(name, input) : undefined,
  };
}

/** Describes the parsed input, so that another spelling of the same request makes no difference. */
const digestOf = (name: AnyOperationName, input: Record<string, unknown>): Uint8Array =>
  createHash("sha256")
    .update(JSON.stringify([name, input]))
    .digest();

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() };

/** Packs a field as `checkInput` does. */
export const pack = (value: unknown): PackedJson => utf8.encoder.encode(JSON.stringify(value));

/** Reads what `checkInput` packed. */
export const unpack = (packed: PackedJson): unknown => JSON.parse(utf8.decoder.decode(packed));
