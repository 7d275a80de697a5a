import type { ReelAddress, ReelDetails, ReelLocator, ReelSource } from "../ports.ts";
import type { AccountCaller } from "../rules/caller.ts";
import type { CountCalls } from "../rules/count-calls.ts";
import type { OpenCall } from "./handler.ts";

/** A call that needs a request to the platform. */
interface AskingCall extends OpenCall {
  readonly caller: AccountCaller;
}

/**
 * Requests to the platform for a waiting caller. Each counts in a bucket of the account, accounts take turns at the platform,
 * and the call gives up its place meanwhile.
 */
export interface AskPlatform {
  /** Like `ReelLocator.locate`, which asks the platform for share links only. Throws `RateLimited` too. */
  locate(url: string, call: AskingCall): Promise<ReelAddress>;
  /** Locates for an account that doesn't wait. Throws as `locate`. */
  locateFor(accountId: string, url: string, signal: AbortSignal): Promise<ReelAddress>;
  /** Like `ReelSource.resolve`. Throws `RateLimited` too. */
  resolve(reel: ReelAddress, call: AskingCall): Promise<ReelDetails>;
}

interface AskPlatformNeeds {
  readonly locator: ReelLocator;
  readonly source: ReelSource;
  /** Counts a request that asks the platform, by account. */
  readonly countPlatform: CountCalls;
}

export const createAskPlatform = ({ locator, source, countPlatform }: AskPlatformNeeds): AskPlatform => ({
  async locate(url, { caller: { account }, signal, whileWaiting }) {
    if (locator.read(url) !== undefined) return locator.locate(url, signal);
    const asker = { accountId: account.id, beforeAsking: () => countPlatform(account.id) };
    return whileWaiting(() => locator.locate(url, signal, asker));
  },
  locateFor: (accountId, url, signal) =>
    locator.locate(url, signal, { accountId, beforeAsking: () => countPlatform(accountId) }),
  async resolve(reel, { caller: { account }, signal, whileWaiting }) {
    await countPlatform(account.id);
    return whileWaiting(() => source.resolve(reel, signal, account.id));
  },
});
