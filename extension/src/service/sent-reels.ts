import { type Language, mostBatchLinks } from "@reelscript/contract/values";
import { CallError, type AnyOperationName, type Core, type Output } from "@reelscript/client/core";
import { browser } from "@wxt-dev/browser";
import { list, shape, text, type Guarded } from "../messages/guards.ts";
import { reelAddress } from "../platform/page-location.ts";

export type Batch = Output<"getBatch">;

const mostBatches = 20;
const mostUnsent = 1_000;

const isSentReels = shape({
  /** The profile on which reels were selected last. */
  handle: text(64),
  /** Ids of the service's batches, in the order in which they were sent. */
  batches: list(text(128), mostBatches),
  /** Codes of reels that the service doesn't have yet. */
  unsent: list(text(64), mostUnsent),
});
export type SentReels = Guarded<typeof isSentReels>;

/** The reels that this browser sent in batches, until the person has seen their end. */
export async function readSentReels(): Promise<SentReels | undefined> {
  const { sentReels } = await browser.storage.local.get("sentReels");
  return isSentReels(sentReels) ? sentReels : undefined;
}

const keep = (sentReels: SentReels): Promise<void> => browser.storage.local.set({ sentReels });

export const forgetSentReels = (): Promise<void> => browser.storage.local.remove("sentReels");

/**
 * Adds new reels to earlier ones whose end nobody has seen yet. If they don't all fit, adds none and returns how many unsent
 * reels there are already.
 */
export async function addUnsent(handle: string, codes: readonly string[]): Promise<number | undefined> {
  const { batches = [], unsent = [] } = (await readSentReels()) ?? {};
  const all = [...new Set([...unsent, ...codes])];
  if (all.length > mostUnsent) return unsent.length;
  await keep({ handle, batches, unsent: all });
  return undefined;
}

/**
 * Sends the reels that the service doesn't have yet, in batches as large as it accepts. A lost response creates no second
 * batch.
 */
export async function sendUnsent(service: Core<AnyOperationName>, signal: AbortSignal): Promise<void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the next turn must see what this one stored
    const { unsent = [] } = (await readSentReels()) ?? {};
    if (unsent.length === 0) return;
    const codes = unsent.slice(0, mostBatchLinks);
    const input = { urls: codes.map(reelAddress) };
    // oxlint-disable-next-line no-await-in-loop -- batches keep the order in which reels were selected
    const { id } = await service.call("createBatch", input, { signal, patient: true });
    // oxlint-disable-next-line no-await-in-loop -- a panel that closes after this must not send the batch again
    await noteBatch(id!, codes); // safe: only a dry run has none
  }
}

/** Sends reels again that are drafted where their language is named, as one batch. */
export async function sendDrafts(
  service: Core<AnyOperationName>,
  urls: readonly string[],
  languageHint: Language,
): Promise<void> {
  const { id } = await service.call("createBatch", { urls: urls.slice(0, mostBatchLinks), languageHint });
  await noteBatch(id!, []); // safe: only a dry run has none
}

async function noteBatch(id: string, codes: readonly string[]): Promise<void> {
  const sentReels = await readSentReels();
  // The account was disconnected meanwhile.
  if (sentReels === undefined) return;
  const batches = [...new Set([...sentReels.batches, id])].slice(-mostBatches);
  await keep({ handle: sentReels.handle, batches, unsent: sentReels.unsent.filter((code) => !codes.includes(code)) });
}

/** The state of the sent reels. Batches that the service no longer has are left out. */
export async function readBatches(service: Core<AnyOperationName>, signal: AbortSignal): Promise<readonly Batch[]> {
  const { batches: ids = [] } = (await readSentReels()) ?? {};
  const batches: Batch[] = [];
  for (const id of ids)
    try {
      // oxlint-disable-next-line no-await-in-loop -- a caller has few places at the service
      batches.push(await service.call("getBatch", { id }, { signal, patient: true }));
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== "notFound") throw error;
    }
  return batches;
}
