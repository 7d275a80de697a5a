import { operations, ServiceError, type Transcription } from "@reelscript/contract";
import type { AccountCaller } from "../../../rules/caller.ts";
import type { InterimText } from "../../../ports.ts";
import { allowanceOfCaller } from "../../../rules/allowance.ts";
import type { Handler, HandlerCall } from "../../../run/handler.ts";
import { writeOutput } from "../../../run/schemas.ts";
import { readOwnTranscription, type ReadNeeds } from "../own-transcriptions.ts";
import { followToEnd, type Unfinished } from "./follow.ts";
import { withSecondsLeft } from "./usual-seconds.ts";

/** Shows the state of a transcription. Callers who follow it get every change until it is finished. */
export const getTranscription = (needs: ReadNeeds): Handler<"getTranscription"> => {
  const readFinished = shareReading(needs);
  return async (call) => {
    const { caller, input, patience } = call;
    const { onChange } = patience;
    const first = orNotFound(await readOwnTranscription(needs, caller, input.id));
    if (onChange === undefined || first.finishedAt !== undefined) return first;
    const usualSeconds = await needs.usualSeconds();
    const send = (state: Transcription): boolean => onChange(writeOutput(operations.getTranscription, state));
    return sendChanges(needs, { call, first, send, readFinished, usualSeconds });
  };
};

interface FollowedCall {
  readonly usualSeconds: number;
  readonly call: HandlerCall<"getTranscription">;
  readonly first: Transcription;
  /** False when the follower didn't get it. */
  readonly send: (state: Transcription) => boolean;
  readonly readFinished: (caller: AccountCaller, id: string) => Promise<Transcription | undefined>;
}

/** Sends every change, and returns the last state. Throws `inProgress` when that takes longer than a stream lasts. */
async function sendChanges(
  { store }: ReadNeeds,
  { call, first, send, readFinished, usualSeconds }: FollowedCall,
): Promise<Transcription> {
  const { caller, signal, deadline, whileWaiting } = call;
  const { id } = call.input;
  let last = first;
  send(last);
  const sentPassages = createSentPassages();
  const onState = ({ state: status, progress, waitingFor, interim }: Unfinished): void => {
    const lacking = sentPassages.lacking(interim);
    const { waitingFor: lastWaitingFor, secondsLeft: _, ...others } = last;
    if (status === last.status && progress === last.progress && waitingFor === lastWaitingFor && !lacking) return;
    last = withSecondsLeft({ ...others, status, progress, ...(waitingFor && { waitingFor }) }, usualSeconds);
    if (send({ ...last, ...(lacking && { interim: lacking }) })) sentPassages.noteSent(interim);
  };
  // The last reading is part of the wait: all followers share it before the first of them takes its place again.
  const read = await whileWaiting(async () => {
    const finished = await followToEnd(store, id, { signal, deadline, whileWaiting, onState });
    return finished === undefined ? "late" : readFinished(caller, id);
  });
  if (read === "late")
    throw new ServiceError("inProgress", "This reel is still being transcribed. Try again.", {
      reason: "transcriptionRunning",
      retryAfter: 1,
    });
  return orNotFound(read);
}

function orNotFound(transcription: Transcription | undefined): Transcription {
  if (transcription === undefined)
    throw new ServiceError("notFound", "You have no transcription with this id. Cached reels do not create one.");
  return transcription;
}

/**
 * Reads a finished transcription once for all followers who ask at the same moment, as they do when they learn of its
 * end.
 */
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

/** Notes which passages one follower has, so that each is sent once. */
interface SentPassages {
  /** The passages of `interim` that the follower lacks; `undefined` when it has all. The first call never returns `undefined`. */
  readonly lacking: (interim: InterimText | undefined) => Transcription["interim"];
  /** The follower has all of `interim`. */
  readonly noteSent: (interim: InterimText | undefined) => void;
}

export function createSentPassages(): SentPassages {
  let lastSent: { readonly attempt: number | undefined; readonly count: number; readonly draft: string } | undefined;
  return {
    lacking(interim) {
      const { passages = [], draft } = interim ?? {};
      const from = lastSent?.attempt === interim?.attempt ? (lastSent?.count ?? 0) : 0;
      const isNews =
        lastSent === undefined ||
        passages.length > from ||
        (from === 0 && lastSent.count > 0) ||
        (draft?.text ?? "") !== lastSent.draft;
      return isNews ? { from, passages: passages.slice(from), ...(draft && { draft }) } : undefined;
    },
    noteSent(interim) {
      lastSent = { attempt: interim?.attempt, count: interim?.passages.length ?? 0, draft: interim?.draft?.text ?? "" };
    },
  };
}
