import * as z from "zod";
import { ofPerson, operation } from "../operation.ts";
import { SignedInAccount } from "./session.ts";

/** 32 bytes in base64url: hashes and codes alike. */
const Secret = z
  .string()
  .regex(/^[\w-]{43}$/, { error: "must be 43 characters: 32 bytes in base64url, without padding" });

export const approveExtension = operation({
  ...ofPerson,
  summary: "Approve a browser extension",
  description:
    "Creates a code that the extension exchanges for its own token. The code works once, within five minutes, and only with the extension's verifier.",
  http: { method: "POST", path: "/extension/codes" },
  input: z.strictObject({
    challenge: Secret.meta({ description: "SHA-256 of the extension's verifier, in base64url (PKCE, S256)." }),
  }),
  output: z.object({ code: z.string(), expiresAt: z.iso.datetime() }),
  example: { challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" },
});

export const connectExtension = operation({
  section: "Account",
  access: "public",
  summary: "Exchange a code for an extension's token",
  description: "Returns the extension's token. The code is used up even if the verifier is wrong.",
  http: { method: "POST", path: "/extension/token" },
  input: z.strictObject({
    code: Secret,
    verifier: z
      .string()
      .regex(/^[\w.~-]{43,128}$/, { error: "must be 43 to 128 letters, digits and -._~" })
      .meta({ description: "The value that the challenge is the hash of." }),
  }),
  output: z.object({
    token: z.string().meta({ description: "Token to send as `Authorization: Bearer`. We show it only once." }),
    expiresAt: z.iso
      .datetime()
      .meta({ description: "Time at which the token expires; without use it expires after 90 days." }),
    account: SignedInAccount,
  }),
  errors: ["unauthorized"],
  example: {
    code: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    verifier: "M25iVXpKU3puUjFaYWg3T1NDTDQtcW1ROUY5YXlwalNoc0hhakxifmZHag",
  },
});

export const disconnectExtension = operation({
  ...ofPerson,
  summary: "Disconnect the extension",
  description: "Ends the token that sends this request.",
  http: { method: "DELETE", path: "/extension/token" },
  output: z.object({ id: z.string() }),
  errors: ["notFound"],
});
