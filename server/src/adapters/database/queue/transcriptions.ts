import type { NewId, Transcriptions } from "../../../ports.ts";
import { isNumber, orNull } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { statement } from "../engine/statement.ts";
import { createCachedTexts } from "../transcripts/cached-texts.ts";
import { createClaims } from "./claims.ts";
import { createEnds } from "./end-transcription.ts";
import { createOwnTranscriptions } from "./find-own-transcription.ts";
import { stateRow, toState, waitingForIn } from "./read-states.ts";
import { requestTranscription, takeCachedTranscript } from "./request-transcription.ts";

const findTranscription = statement(
  `select state, progress, ${waitingForIn("transcription")}, failure from transcription where id = :id`,
).reading(stateRow);

const expireLeases = statement("update transcription set lease_until = :now where state = 'running'");

const queueLength = statement("select sum(open) as length from queue_length").reading({
  length: orNull(isNumber),
});

export function createTranscriptions(engine: Engine, newId: NewId): Transcriptions {
  const { pool } = engine;
  return {
    takeCached: (reel, allowance, now, options) => takeCachedTranscript(pool, newId, reel, allowance, now, options),
    request: (request) => requestTranscription(engine, newId, request),
    async find(transcriptionId) {
      const row = await findTranscription.row(pool, { id: transcriptionId });
      return row && toState(row);
    },
    ...createOwnTranscriptions(pool),
    ...createCachedTexts(pool),
    ...createClaims(engine),
    ...createEnds(engine, newId),
    expireLeases: async (now) => void (await expireLeases.run(pool, { now })),
    queueLength: async () => (await queueLength.onlyRow(pool)).length ?? 0,
  };
}
