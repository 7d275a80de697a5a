import type { KoaContextWithOIDC } from "oidc-provider";
import { networkOf } from "../../callers/network-of.ts";
import { createCountCalls } from "../../callers/count-calls.ts";
import { RateLimited } from "../../rules/refusals.ts";
import type { Needs } from "../../run/needs.ts";

/**
 * Counts what failed, after the library has looked at it: a program that brings a good code or token, or registers rightly, is
 * answered whatever others on its network sent. Past the limit failures are told to wait.
 */
export function createCountFailed(
  needs: Needs<"rateLimits" | "clock"> & {
    /** Failures of one network in any hour, at each of the paths. */
    readonly limit: number;
    readonly paths: readonly string[];
  },
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

/** A program that renews too often has not failed, and neither has it where we have. A token that nobody has is revoked like any other. */
function hasFailed({ status, oidc, path }: KoaContextWithOIDC): boolean {
  if (status >= 400) return status < 500 && status !== 429;
  const { AccessToken, RefreshToken, Client } = oidc.entities;
  const revoked = RefreshToken ?? AccessToken;
  return path.endsWith("/revoke") && (revoked === undefined || revoked.clientId !== Client?.clientId);
}
