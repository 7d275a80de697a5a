import { ServiceError } from "@reelscript/contract";
import type { Caller } from "../caller.ts";
import type { Clock, Sessions } from "../ports.ts";
import { suspended } from "../rules/refusals.ts";
import { parseExtensionToken } from "./api-key.ts";
import type { Authenticate } from "./authenticate.ts";
import { networkOf } from "./network-of.ts";
import type { CountRefused } from "./refused-calls.ts";

/** As `Authenticate`, for the token of an extension at the people's door. */
export function createAuthenticateExtension({
  sessions,
  clock,
  countRefused,
}: {
  readonly sessions: Pick<Sessions, "useToken">;
  readonly clock: Clock;
  readonly countRefused: CountRefused;
}): Authenticate {
  return async (authorization, address): Promise<Caller> => {
    const network = networkOf(address);
    if (authorization === undefined) return { kind: "anonymous", address: network };
    const credential = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
    const hash = credential === undefined ? undefined : parseExtensionToken(credential);
    const found = hash && (await sessions.useToken(hash, clock.now()));
    if (found && found.account.suspendedAt === undefined) return { kind: "extension", ...found };
    await countRefused(network);
    if (found) throw new ServiceError("unauthorized", suspended.message, { reason: "accountSuspended" });
    throw new ServiceError(
      "unauthorized",
      "This is not the token of a connected extension, or it was ended. API keys are for /api/v1 and /mcp only.",
      { reason: "notSignedIn" },
    );
  };
}
