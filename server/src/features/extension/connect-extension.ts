import { createHash } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import { describeAccount } from "../../describe/describe-account.ts";
import type { Clock, ExtensionCodes, Sessions } from "../../ports.ts";
import { suspended } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";

const tokenMilliseconds = 365 * 24 * 60 * 60_000;

const hashOf = (text: string): Uint8Array => createHash("sha256").update(text).digest();

export const connectExtension =
  ({
    extensionCodes,
    sessions,
    clock,
    drawToken,
  }: {
    readonly extensionCodes: ExtensionCodes;
    readonly sessions: Sessions;
    readonly clock: Clock;
    readonly drawToken: () => { readonly token: string; readonly hash: Uint8Array };
  }): Handler<"connectExtension"> =>
  async ({ input: { code, verifier }, userAgent }) => {
    const now = clock.now();
    const account = await extensionCodes.take(hashOf(code), hashOf(verifier), now);
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
    await sessions.create({
      kind: "extension",
      accountId: account.id,
      hash,
      browser: userAgent ?? null,
      idToken: null,
      expiresAt,
      now,
    });
    return { token, expiresAt: expiresAt.toISOString(), account: describeAccount(account) };
  };
