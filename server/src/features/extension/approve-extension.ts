import { createHash, randomBytes } from "node:crypto";
import type { Clock, ExtensionCodes } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

/** Long enough for a browser that is slow to hand it over. */
const codeMilliseconds = 5 * 60_000;

export const approveExtension =
  ({
    extensionCodes,
    clock,
  }: {
    readonly extensionCodes: ExtensionCodes;
    readonly clock: Clock;
  }): Handler<"approveExtension"> =>
  async ({ input: { challenge }, caller: { account, session } }) => {
    const code = randomBytes(32).toString("base64url");
    const expiresAt = new Date(clock.now().getTime() + codeMilliseconds);
    await extensionCodes.create({
      codeHash: createHash("sha256").update(code).digest(),
      accountId: account.id,
      sessionId: session.id,
      challenge: Buffer.from(challenge, "base64url"),
      expiresAt,
    });
    return { code, expiresAt: expiresAt.toISOString() };
  };
