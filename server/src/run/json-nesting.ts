import { ServiceError } from "@reelscript/contract";

/** No input of ours is nested nearly as deeply. */
const deepest = 64;
const [quote, backslash] = [0x22, 0x5c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Throws `invalidRequest` for JSON whose lists and objects are nested too deeply, before it is parsed. Reads each byte once; in
 * UTF-8 these signs are never part of another character.
 */
export function refuseDeepNesting(bytes: Uint8Array): void {
  let depth = 0;
  let isInString = false;
  for (let place = 0; place < bytes.length; place += 1) {
    const byte = bytes[place]!;
    if (byte === quote) isInString = !isInString;
    else if (isInString) place += byte === backslash ? 1 : 0;
    else if (closing.has(byte)) depth -= 1;
    else if (opening.has(byte) && (depth += 1) > deepest)
      throw new ServiceError("invalidRequest", `The body is nested more than ${deepest} levels deep.`);
  }
}
