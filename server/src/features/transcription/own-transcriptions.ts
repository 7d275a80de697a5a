import { listedMilliseconds, type Transcription } from "@reelscript/contract";
import type { AccountCaller } from "../../rules/caller.ts";
import { readCursor, writeCursor } from "../../describe/cursor.ts";
import { allowanceOfCaller, type QuotaScope } from "../../rules/allowance.ts";
import type { Handler } from "../../run/handler.ts";
import type { Store, Clock } from "../../ports.ts";
import { type UsualSeconds, withSecondsLeft } from "./following/usual-seconds.ts";
import { describeListed, describeTranscription } from "./describe-transcription.ts";

interface ListNeeds {
  readonly store: Store;
  readonly clock: Clock;
}

export interface ReadNeeds extends ListNeeds {
  readonly quotaScope: QuotaScope;
  readonly usualSeconds: UsualSeconds;
}

/** A transcription that the caller requested, as it is now. */
export async function readOwnTranscription(
  { store, clock, quotaScope, usualSeconds }: ReadNeeds,
  caller: AccountCaller,
  id: string,
): Promise<Transcription | undefined> {
  const transcription = await store.transcriptions.findOwn(caller.account.id, id);
  if (transcription === undefined) return undefined;
  const { subject, period, limit } = allowanceOfCaller(caller, quotaScope, clock.now());
  const { used } = await store.allowances.read(subject, period);
  const described = describeTranscription(transcription, { used, limit });
  return described.finishedAt === undefined ? withSecondsLeft(described, await usualSeconds()) : described;
}

export const listTranscriptions =
  ({ store, clock }: ListNeeds): Handler<"listTranscriptions"> =>
  async ({ input: { status, limit, cursor }, caller }) => {
    const scope = ["transcriptions", caller.account.id, status ?? ""];
    const page = await store.transcriptions.listOwn(caller.account.id, {
      since: new Date(clock.now().getTime() - listedMilliseconds),
      state: status,
      limit,
      after: readCursor(scope, cursor),
    });
    return {
      transcriptions: page.transcriptions.map(describeListed),
      ...(page.next && { nextCursor: writeCursor(scope, page.next) }),
    };
  };
