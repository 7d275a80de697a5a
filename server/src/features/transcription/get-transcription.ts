import type { AccountCaller } from "../../caller.ts";
import { Accepted, type Handler } from "../../run/handler.ts";
import type { Needs } from "../../run/needs.ts";
import { ServiceError, type Transcription, listedMilliseconds, operations } from "@reelscript/contract";
import { allowanceOfCaller } from "../../rules/allowance.ts";
import type { InterimText } from "../../ports.ts";
import { readCursor, writeCursor } from "../../describe/cursor.ts";
import type { FindAwaited } from "../../run/repeats.ts";
import { describeListed, describeTranscription, waitingOf } from "./describe-transcription.ts";
import { type Unfinished, waitUntilFinished } from "./wait-until-finished.ts";

type ReadNeeds = Needs<"store" | "clock" | "quotaScope">;

/** How a transcription goes; for who asks for changes, until it is finished. */
export const getTranscription = (needs: ReadNeeds): Handler<"getTranscription"> => {
  const readFinished = shareReading(needs);
  return async ({ input: { id }, caller, signal, deadline, onChange, whileWaiting }) => {
    let last = found(await readOwnTranscription(needs, caller, id));
    if (onChange === undefined || last.finishedAt !== undefined) return last;
    onChange(last);
    const sent = createSentPassages();
    const onState = ({ state: status, progress, waits, interim }: Unfinished): void => {
      const lacking = sent.lacking(interim);
      const { waitingFor, ...others } = last;
      const isWaiting = waitingFor !== undefined;
      if (status === last.status && progress === last.progress && isWaiting === (waits ?? false) && !lacking) return;
      last = { ...others, status, progress, ...waitingOf({ ...(waits && { waits }) }) };
      if (onChange({ ...last, ...(lacking && { interim: lacking }) })) sent.noteSent(interim);
    };
    // The last reading is part of the wait: all followers share it before the first of them takes its place again.
    const read = await whileWaiting(async () => {
      const finished = await waitUntilFinished(needs.store, id, { signal, deadline, whileWaiting, onState });
      return finished === undefined ? "late" : readFinished(caller, id);
    });
    if (read === "late")
      throw new ServiceError("inProgress", "This reel is still being transcribed. Try again.", {
        reason: "transcriptionRunning",
        retryAfter: 1,
      });
    return found(read);
  };
};

function found(transcription: Transcription | undefined): Transcription {
  if (transcription === undefined)
    throw new ServiceError("notFound", "You have no transcription with this id. Cached reels do not create one.");
  return transcription;
}

/** Reads once for all followers of a finished transcription who ask at the same moment, as they do when they hear of its end. */
function shareReading(needs: ReadNeeds): (caller: AccountCaller, id: string) => Promise<Transcription | undefined> {
  const underWay = new Map<string, Promise<Transcription | undefined>>();
  return (caller, id) => {
    const { subject } = allowanceOfCaller(caller, needs.quotaScope, needs.clock.now());
    const name = JSON.stringify([id, caller.account.id, subject]);
    const shared = underWay.get(name);
    if (shared !== undefined) return shared;
    const reading = readOwnTranscription(needs, caller, id).finally(() => underWay.delete(name));
    underWay.set(name, reading);
    return reading;
  };
}

/** A transcription that the caller requested, as it is now. */
async function readOwnTranscription(
  { store, clock, quotaScope }: ReadNeeds,
  caller: AccountCaller,
  id: string,
): Promise<Transcription | undefined> {
  const found = await store.transcriptions.findOwn(caller.account.id, id);
  if (found === undefined) return undefined;
  const { subject, period, limit } = allowanceOfCaller(caller, quotaScope, clock.now());
  const { used } = await store.allowances.read(subject, period);
  return describeTranscription(found, { used, limit });
}

/** Which of the words so far one follower has, so that each is sent once. */
interface SentPassages {
  /** The passages of `interim` that the follower lacks; `undefined` when it has all. The first call never returns `undefined`. */
  readonly lacking: (interim: InterimText | undefined) => Transcription["interim"];
  /** The follower has all of `interim`. */
  readonly noteSent: (interim: InterimText | undefined) => void;
}

export function createSentPassages(): SentPassages {
  let known: { readonly attempt: number | undefined; readonly count: number; readonly draft: string } | undefined;
  return {
    lacking(interim) {
      const { passages = [], draft } = interim ?? {};
      const from = known?.attempt === interim?.attempt ? (known?.count ?? 0) : 0;
      const isNews =
        known === undefined ||
        passages.length > from ||
        (from === 0 && known.count > 0) ||
        (draft?.text ?? "") !== known.draft;
      return isNews ? { from, passages: passages.slice(from), ...(draft && { draft }) } : undefined;
    },
    noteSent(interim) {
      known = { attempt: interim?.attempt, count: interim?.passages.length ?? 0, draft: interim?.draft?.text ?? "" };
    },
  };
}

export const listTranscriptions =
  ({ store, clock }: Needs<"store" | "clock">): Handler<"listTranscriptions"> =>
  async ({ input: { status, limit, cursor }, caller }) => {
    const scope = ["transcriptions", caller.account.id, status ?? ""];
    const found = await store.transcriptions.listOwn(caller.account.id, {
      since: new Date(clock.now().getTime() - listedMilliseconds),
      state: status,
      limit,
      after: readCursor(scope, cursor),
    });
    return {
      transcriptions: found.transcriptions.map(describeListed),
      ...(found.next && { nextCursor: writeCursor(scope, found.next) }),
    };
  };

/** Agents give up a call after about this many seconds; for longer work they call again. */
const waitedSeconds = 50;
const recentMilliseconds = 10 * 60_000;

/** The transcription whose result a repeated call is for. Share links aren't followed for it. */
export const findAwaitedReel =
  ({ store, locator, clock }: Needs<"store" | "locator" | "clock">): FindAwaited =>
  async (name, input, caller) => {
    if (name !== "transcribeReel") return undefined;
    const read = operations.transcribeReel.input.safeParse(input);
    const reel = read.success ? locator.read(read.data.url) : undefined;
    if (reel === undefined) return undefined;
    const since = new Date(clock.now().getTime() - recentMilliseconds);
    return store.transcriptions.findAwaited(reel, caller.account.id, { seconds: waitedSeconds, since });
  };

/** Answers a caller who does not wait with the transcription that is under way. */
export async function acceptTranscription(needs: ReadNeeds, caller: AccountCaller, id: string): Promise<Accepted> {
  const found = await readOwnTranscription(needs, caller, id);
  if (found === undefined) throw new Error(`transcription ${id} is gone`);
  return new Accepted(found);
}
