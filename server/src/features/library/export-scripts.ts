import { exportMinutes } from "@reelscript/contract/values";
import { createCountCalls } from "../../rules/count-calls.ts";
import { isShareToken } from "../../rules/new-id.ts";
import type { Handler, Streamed } from "../../run/handler.ts";
import type { RateLimitSettings } from "../../run/admission.ts";
import type { Scripts, ScriptExports, Clock, RateLimits } from "../../ports.ts";
import { scriptsCsv, searchOf, type CsvNeeds, type ScriptFilter } from "./search-my-scripts.ts";

/** Addresses of an account that can be open at a time. */
const mostAddresses = 20;

interface LinkNeeds {
  readonly scripts: Scripts;
  readonly scriptExports: ScriptExports;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
  /** 256 random bits in 43 base62 digits, for the address of a shared page. */
  readonly drawShareToken: () => string;
}

/** Creates a temporary address of the file for people without a key, such as the person behind an agent. */
export const linkScriptExport =
  ({ scripts, scriptExports, baseUrl, clock, drawShareToken }: LinkNeeds): Handler<"linkScriptExport"> =>
  async ({ input, caller }) => {
    const { total } = await scripts.search(caller.account.id, { ...searchOf(input), limit: 1 });
    const token = drawShareToken();
    const expiresAt = new Date(clock.now().getTime() + exportMinutes * 60_000);
    await scriptExports.create({
      accountId: caller.account.id,
      token,
      search: input,
      expiresAt,
      most: mostAddresses,
    });
    return { url: `${baseUrl()}/exports/${token}`, expiresAt, total };
  };

/** Begins the file behind an address. Throws `RateLimited`, and as `scriptsCsv` does. */
export type OpenScriptExport = (token: string, network: string) => Promise<Streamed | undefined>;

interface OpenExportNeeds extends CsvNeeds {
  readonly scriptExports: ScriptExports;
  readonly rateLimits: RateLimits;
  readonly limits: RateLimitSettings;
  readonly clock: Clock;
}

export function openScriptExport(needs: OpenExportNeeds): OpenScriptExport {
  const { scriptExports, rateLimits, limits, clock } = needs;
  const count = createCountCalls({ rateLimits, clock, kind: "exported", calls: "exports", limit: limits.address });
  return async (token, network) => {
    if (!isShareToken(token)) return undefined;
    await count(network);
    const scriptExport = await scriptExports.open(token, clock.now());
    // It passed the schema of `linkScriptExport` before it was stored.
    return scriptExport && scriptsCsv(needs, scriptExport.accountId, scriptExport.search as ScriptFilter);
  };
}
