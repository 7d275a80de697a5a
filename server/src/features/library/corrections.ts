import { createHash } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { Correctable, Corrections, Clock } from "../../ports.ts";
import { orThrow, noSuchScript } from "../../rules/refusals.ts";
import type { Handlers } from "../../run/handler.ts";

interface CorrectionNeeds {
  readonly corrections: Corrections;
  readonly clock: Clock;
}

export const correctionHandlers = ({ corrections, clock }: CorrectionNeeds) =>
  ({
    getScriptCorrection: async ({ input: { id }, caller }) =>
      describeCorrection(await corrections.find(caller.account.id, id)),

    correctScript: async ({ input: { id, ifVersion, texts }, caller }) => {
      const decide = (script: Correctable): readonly string[] => {
        refuseStale(script, ifVersion);
        const { length } = script.segments;
        if (length === 0) throw refusal("Nothing is said in this reel, so there is nothing to correct.");
        if (texts.length !== length)
          throw refusal(`\`texts\`: must have the text of every segment: ${length}, not ${texts.length}.`);
        if (!texts.some((text) => /[\p{L}\p{N}]/u.test(text)))
          throw refusal("`texts`: must leave at least one word. Delete the script if you don't need it.");
        return texts;
      };
      return describeCorrection(await corrections.change(caller.account.id, id, decide, clock.now()));
    },

    removeScriptCorrection: async ({ input: { id, ifVersion }, caller }) => {
      const decide = (script: Correctable): "remove" => {
        if (ifVersion !== undefined) refuseStale(script, ifVersion);
        return "remove";
      };
      return describeCorrection(await corrections.change(caller.account.id, id, decide, clock.now()));
    },
  }) satisfies Partial<Handlers>;

const refusal = (message: string): ServiceError => new ServiceError("invalidRequest", message, { status: 422 });

/** Names the texts by their content, so that it doesn't matter who changed them, or whether the reel was transcribed again. */
const versionOf = ({ segments }: Correctable): number =>
  Number.parseInt(createHash("sha256").update(JSON.stringify(segments)).digest("hex").slice(0, 12), 16);

function describeCorrection(script: Correctable | undefined) {
  const correctable = orThrow(script, noSuchScript);
  return { ...correctable, version: versionOf(correctable) };
}

/** Throws `invalidRequest` 412 when the texts are others than the caller saw. */
function refuseStale(script: Correctable, ifVersion: number): void {
  if (versionOf(script) === ifVersion) return;
  throw new ServiceError(
    "invalidRequest",
    "The text changed in the meantime. Read it again, then repeat your correction.",
    { reason: "staleRevision" },
  );
}
