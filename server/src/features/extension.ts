import { randomBytes } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { Handlers } from "../run/handler.ts";
import type { ExtensionCodes, Sessions, Clock } from "../ports.ts";
import { suspended } from "../rules/refusals.ts";
import { hashOfSecret } from "../rules/new-id.ts";

/** Long enough for a browser that is slow to hand it over. */
const codeMilliseconds = 5 * 60_000;
const tokenMilliseconds = 365 * 24 * 60 * 60_000;

interface ExtensionNeeds {
  readonly extensionCodes: ExtensionCodes;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly drawToken: () => { readonly token: string; readonly hash: Uint8Array };
}

export const extensionHandlers = ({ extensionCodes, sessions, clock, drawToken }: ExtensionNeeds) =>
  ({
    approveExtension: async ({ input: { challenge }, caller: { account, session } }) => {
      const code = randomBytes(32).toString("base64url");
      const expiresAt = new Date(clock.now().getTime() + codeMilliseconds);
      await extensionCodes.create({
        codeHash: hashOfSecret(code),
        accountId: account.id,
        sessionId: session.id,
        challenge: Buffer.from(challenge, "base64url"),
        expiresAt,
      });
      return { code, expiresAt };
    },

    connectExtension: async ({ input: { code, verifier }, userAgent }) => {
      const now = clock.now();
      const account = await extensionCodes.take(hashOfSecret(code), hashOfSecret(verifier), now);
      if (account === undefined)
        throw new ServiceError(
          "unauthorized",
          "This code is wrong, was used before, or has expired. Connect the extension again.",
          { reason: "codeRefused" },
        );
      if (account.suspendedAt !== undefined)
        throw new ServiceError("unauthorized", suspended.message, { reason: "accountSuspended" });
      const { token, hash } = drawToken();
      const expiresAt = new Date(now.getTime() + tokenMilliseconds);
      const browser = userAgent ?? null;
      await sessions.create({ kind: "extension", accountId: account.id, hash, browser, idToken: null, expiresAt, now });
      return { token, expiresAt, account };
    },

    disconnectExtension: async ({ caller: { kind, account, session } }) => {
      if (kind === "extension" && (await sessions.revoke(account.id, session.id, clock.now())))
        return { id: session.id };
      throw new ServiceError("notFound", "This request was not made with the token of an extension.");
    },
  }) satisfies Partial<Handlers>;
