import type { KoaContextWithOIDC } from "oidc-provider";
import { networkOf } from "../../callers/authenticate.ts";
import { createCountCalls } from "../../rules/count-calls.ts";
import { RateLimited } from "../../rules/refusals.ts";
import type { RateLimits, Clock } from "../../ports.ts";

interface CountFailedNeeds {
  readonly rateLimits: RateLimits;
  readonly clock: Clock;
  /** Failures of one network in any hour, at each of the paths. */
  readonly limit: number;
  readonly paths: readonly string[];
}

/**
 * Counts failures after the library has handled the request: a valid code, token or registration is accepted whatever others on
 * the network sent. Above the limit failures must wait.
 */
export function createCountFailed(
  needs: CountFailedNeeds,
): (context: KoaContextWithOIDC, next: () => Promise<unknown>) => Promise<void> {
  const { rateLimits, clock, limit } = needs;
  const counts = new Map(
    needs.paths.map((path) => [
      path,
      createCountCalls({ rateLimits, clock, limit, kind: path, calls: "failed requests from your network" }),
    ]),
  );
  return async (context, next) => {
    await next();
    const count = counts.get(context.path);
    if (count === undefined || context.method !== "POST" || !hasFailed(context)) return;
    try {
      await count(networkOf(context.ip));
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      context.status = error.status;
      context.set("retry-after", String(error.retryAfter ?? 1));
      context.body = { error: "temporarily_unavailable", error_description: error.message };
    }
  };
}

/**
 * A program that renews too often has not failed, nor has it when the fault is ours. Revoking an unknown token is not a failure
 * either.
 */
function hasFailed({ status, oidc, path }: KoaContextWithOIDC): boolean {
  if (status >= 400) return status < 500 && status !== 429;
  const { AccessToken, RefreshToken, Client } = oidc.entities;
  const revoked = RefreshToken ?? AccessToken;
  return path.endsWith("/revoke") && (revoked === undefined || revoked.clientId !== Client?.clientId);
}
