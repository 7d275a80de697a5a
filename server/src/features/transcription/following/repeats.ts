import type * as z from "zod";
import { operations, ServiceError } from "@reelscript/contract";
import type { AccountCaller } from "../../../rules/caller.ts";
import type { Batches, Clock, RateLimits, ReelLocator } from "../../../ports.ts";
import { Accepted, type HandlerAnswer, type Repeats } from "../../../run/handler.ts";
import { patiences, type Patience } from "../../../run/patience.ts";
import { fingerprintOf, linksOfFiles, readLinks } from "../batch/read-links.ts";
import { slotOf } from "../../../rules/allowance.ts";
import { readOwnTranscription, type ReadNeeds } from "../own-transcriptions.ts";
import { retryAfter } from "../refuse-start.ts";

/** At most so many repeats of a transcription aren't counted in an hour, while it runs and shortly after its end. */
const freeRepeats = { most: 20, mostOfBatch: 360, recentMilliseconds: 10 * 60_000 } as const;

interface RepeatNeeds extends ReadNeeds {
  readonly rateLimits: RateLimits;
  readonly locator: ReelLocator;
}

/** Calls of `transcribeReel` that only wait again for work that an earlier, counted call started. */
export const repeatsOfTranscribeReel = (needs: RepeatNeeds): Repeats => ({
  isRepeat: createIsRepeat(needs),
  renew: (accepted, caller, patience) => renewAccepted(needs, String(accepted["id"]), caller, patience),
});

const createIsRepeat =
  ({ store, rateLimits, locator, clock }: RepeatNeeds): Repeats["isRepeat"] =>
  async (receive, caller) => {
    if (caller.kind === "anonymous") return false;
    const input = await readableInput(operations.transcribeReel.input, receive);
    // Share links aren't followed for it.
    const reel = input && locator.read(input.url);
    if (reel === undefined) return false;
    const since = new Date(clock.now().getTime() - freeRepeats.recentMilliseconds);
    const awaited = await store.transcriptions.findAwaited(reel, caller.account.id, {
      seconds: patiences.tool.seconds,
      since,
    });
    if (awaited === undefined) return false;
    const buckets = [{ name: "transcribe", limit: freeRepeats.most } as const];
    return (await rateLimits.take(`again:${awaited}`, buckets, clock.now())).taken;
  };

interface BatchRepeatNeeds {
  readonly batches: Pick<Batches, "findOpen">;
  readonly rateLimits: RateLimits;
  readonly locator: ReelLocator;
  readonly clock: Clock;
}

/** Calls of `createBatch` with the links of an open batch only wait again for it. */
export const repeatsOfCreateBatch = ({ batches, rateLimits, locator, clock }: BatchRepeatNeeds): Repeats => ({
  async isRepeat(receive, caller) {
    if (caller.kind === "anonymous") return false;
    const input = await readableInput(operations.createBatch.input, receive);
    if (input === undefined || input.dryRun) return false;
    const { urls = [], files = [], languageHint } = input;
    const { links } = await readLinks(urls, locator, new AbortController().signal);
    const owner = { accountId: caller.account.id, slot: slotOf(caller) };
    const open = await batches.findOpen(owner, fingerprintOf([...links, ...linksOfFiles(files)], languageHint));
    if (open === undefined) return false;
    const buckets = [{ name: "default", limit: freeRepeats.mostOfBatch } as const];
    return (await rateLimits.take(`again:${open}`, buckets, clock.now())).taken;
  },
  renew: async () => undefined,
});

/** The input of a call; `undefined` if it can't be read: it is refused later, once the call is counted. */
async function readableInput<Schema extends z.ZodObject>(
  schema: Schema,
  receive: () => unknown,
): Promise<z.output<Schema> | undefined> {
  const input = await Promise.resolve()
    .then(receive)
    .catch(() => undefined);
  return schema.safeParse(input).data;
}

/**
 * Looks up the result of work that an earlier answer under the same key only announced, in the form that this call requests.
 * Returns undefined when it went with its script; throws the work's error, and `inProgress`.
 */
async function renewAccepted(
  needs: ReadNeeds,
  id: string,
  caller: AccountCaller,
  { thenGets }: Patience,
): Promise<HandlerAnswer<"transcribeReel"> | undefined> {
  const transcription = await readOwnTranscription(needs, caller, id);
  if (transcription === undefined) return undefined;
  if (transcription.result) return transcription.result;
  if (transcription.error)
    throw new ServiceError(transcription.error.code, transcription.error.message, {
      reason: transcription.error.reason,
    });
  if (thenGets === "accepted") return new Accepted(transcription);
  throw new ServiceError(
    "inProgress",
    `This reel is still being transcribed. Send the request again in about ${retryAfter} seconds.`,
    { reason: "transcriptionRunning", retryAfter, transcriptionId: id },
  );
}
