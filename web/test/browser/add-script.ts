import {
  anAllowance,
  aReel,
  ask,
  mustClaim,
  transcriptOf,
  type Said,
} from "../../../server/test/database/conformance/fixtures.ts";
import type { TestService } from "../../../server/test/harness/start-test-service.ts";

type Transcript = ReturnType<typeof transcriptOf>;

/** Puts a script into the library of an account as the worker would, and gives its id. */
export async function addScript(
  { store, clock }: TestService,
  accountId: string,
  said: Said,
  changes: Partial<Transcript> = {},
): Promise<string> {
  const now = clock.now();
  const reel = aReel();
  const asked = await ask(store, reel, anAllowance(accountId, { limit: 1_000_000, slot: 5 }), { now });
  if (asked.kind !== "started") throw new Error(`not started: ${asked.kind}`);
  const transcript = { ...transcriptOf(reel, said, now), ...changes };
  if (!(await store.transcriptions.complete(await mustClaim(store, now), transcript, false, now)))
    throw new Error("not stored");
  const [newest] = (await store.scripts.search(accountId, { sort: "date", limit: 1 })).scripts;
  return newest?.id ?? "";
}
