import { createHash, randomBytes } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { Handler } from "../run/handler.ts";
import type { Needs } from "../run/needs.ts";
import { describeAccount } from "../describe/describe-account.ts";
import { suspended } from "../rules/refusals.ts";

/** Long enough for a browser that is slow to hand it over. */
const codeMilliseconds = 5 * 60_000;

export const approveExtension =
  ({ extensionCodes, clock }: Needs<"extensionCodes" | "clock">): Handler<"approveExtension"> =>
  async ({ input: { challenge }, caller: { account, session } }) => {
    const code = randomBytes(32).toString("base64url");
    const expiresAt = new Date(clock.now().getTime() + codeMilliseconds);
    await extensionCodes.create({
      codeHash: hashOf(code),
      accountId: account.id,
      sessionId: session.id,
      challenge: Buffer.from(challenge, "base64url"),
      expiresAt,
    });
    return { code, expiresAt: expiresAt.toISOString() };
  };

const tokenMilliseconds = 365 * 24 * 60 * 60_000;

const hashOf = (text: string): Uint8Array => createHash("sha256").update(text).digest();

export const connectExtension =
  ({
    extensionCodes,
    sessions,
    clock,
    drawToken,
  }: Needs<"extensionCodes" | "sessions" | "clock" | "drawToken">): Handler<"connectExtension"> =>
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

export const disconnectExtension =
  ({ sessions, clock }: Needs<"sessions" | "clock">): Handler<"disconnectExtension"> =>
  async ({ caller: { kind, account, session } }) => {
    if (kind === "extension" && (await sessions.revoke(account.id, session.id, clock.now()))) return { id: session.id };
    throw new ServiceError("notFound", "This request was not made with the token of an extension.");
  };
