import { hashOf } from "./secret.ts";

const idPrefix = "ses_";
const idLength = 16;

/** What a session's cookie holds: 16 characters that name the session, and 27 of a secret (160 bits). Only its hash is stored. */
export const sessionValue = (sessionId: string, secret: string): string =>
  sessionId.slice(idPrefix.length) + secret.slice(idLength);

/** How a value is looked up. One from before sessions were named in it names one that there is not. */
export const sessionNamed = (value: string): { readonly id: string; readonly hash: Uint8Array } => ({
  id: idPrefix + value.slice(0, idLength),
  hash: hashOf(value),
});
