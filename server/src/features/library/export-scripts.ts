import { setImmediate } from "node:timers/promises";
import { ServiceError } from "@reelscript/contract";
import { csvHead, exportMinutes, scriptCsvColumns } from "@reelscript/contract/values";
import type { FairLine } from "../../rules/fair-line.ts";
import { RateLimited } from "../../rules/refusals.ts";
import { type Handler, Streamed } from "../../run/handler.ts";
import type { RateLimitSettings } from "../../run/admission.ts";
import type { TablePosition, Accounts, Scripts, LongWork, ScriptExports, Clock, RateLimits } from "../../ports.ts";
import { searchOf, type ScriptFilter } from "./search-of.ts";

/** Scripts that are in memory at a time. */
const pageLength = 100;
/** Addresses of an account that can be open at a time. */
const mostAddresses = 20;

interface CsvNeeds {
  readonly accounts: Accounts;
  readonly scripts: Scripts;
  readonly longWork: LongWork;
  readonly exportLine: FairLine;
}

/** All scripts that a search finds as a table, sent page by page while it is read. Throws as `exportLine` does. */
export async function scriptsCsv(needs: CsvNeeds, accountId: string, filter: ScriptFilter): Promise<Streamed> {
  const leave = await needs.exportLine.enter(accountId);
  return new Streamed(linesOf(needs, accountId, filter), "scripts", leave);
}

async function* linesOf(
  { accounts, scripts, longWork }: CsvNeeds,
  accountId: string,
  filter: ScriptFilter,
): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(csvHead(scriptCsvColumns));
  let position: TablePosition | undefined;
  do {
    const page = await scripts.table(accountId, { ...searchOf(filter), limit: pageLength }, position);
    if (page.scripts.length > 0) yield await longWork("writeScriptLines", page.scripts, accountId);
    position = page.next;
    // A library of short scripts is read without a pause otherwise.
    await setImmediate();
  } while (position !== undefined);
  // Lines are missing then, and the file must not look whole.
  if ((await accounts.find(accountId)) === undefined)
    throw new ServiceError("unauthorized", "The account was deleted while its scripts were exported.");
}

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

const shape = /^[0-9A-Za-z]{43}$/;

interface OpenExportNeeds extends CsvNeeds {
  readonly scriptExports: ScriptExports;
  readonly rateLimits: RateLimits;
  readonly limits: RateLimitSettings;
  readonly clock: Clock;
}

export const openScriptExport =
  (needs: OpenExportNeeds): OpenScriptExport =>
  async (token, network) => {
    // A text that can't be a token costs no look-up.
    if (!shape.test(token)) return undefined;
    const now = needs.clock.now();
    const { taken, states } = await needs.rateLimits.take(
      `exported:${network}`,
      [{ name: "address", limit: needs.limits.address }],
      now,
    );
    const [state] = states;
    if (!taken && state !== undefined) throw new RateLimited(state, "exports");
    const scriptExport = await needs.scriptExports.open(token, now);
    // It passed the schema of `linkScriptExport` before it was stored.
    return scriptExport && scriptsCsv(needs, scriptExport.accountId, scriptExport.search as ScriptFilter);
  };
