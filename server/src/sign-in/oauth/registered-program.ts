import * as z from "zod";

const prefix = "program_";
/** It becomes part of an address that browsers open. */
export const longestProgramId = 2_000;

const Registered = z.tuple([z.string(), z.string()], z.string());

/**
 * The id of a registered program contains its metadata, so that nothing has to be stored, and the same program gets the same
 * id.
 */
export const programIdOf = (name: string, addresses: readonly string[]): string =>
  prefix + Buffer.from(JSON.stringify([name, ...addresses])).toString("base64url");

/** Decodes the registered metadata from an id; `undefined` for an invalid id. The metadata are checked as at registration. */
export function programOf(
  id: string,
): { readonly client_id: string; readonly client_name: string; readonly redirect_uris: string[] } | undefined {
  if (!id.startsWith(prefix) || id.length > longestProgramId) return undefined;
  const read = Registered.safeParse(jsonIn(Buffer.from(id.slice(prefix.length), "base64url").toString("utf8")));
  if (!read.success) return undefined;
  const [client_name, ...redirect_uris] = read.data;
  return programIdOf(client_name, redirect_uris) === id ? { client_id: id, client_name, redirect_uris } : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
