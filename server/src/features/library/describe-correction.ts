import { createHash } from "node:crypto";
import { ServiceError, type AllOperations } from "@reelscript/contract";
import type { Correctable } from "../../ports.ts";

type Described = AllOperations["getScriptCorrection"]["output"]["_zod"]["output"];

/** Names the texts by their content, so that it doesn't matter who changed them, or whether the reel was heard again. */
const versionOf = ({ segments }: Correctable): number =>
  Number.parseInt(createHash("sha256").update(JSON.stringify(segments)).digest("hex").slice(0, 12), 16);

export const describeCorrection = (found: Correctable): Described => ({
  version: versionOf(found),
  segments: [...found.segments],
  correctedAt: found.correctedAt?.toISOString() ?? null,
  outdated: found.outdated,
});

/** Throws `invalidRequest` 412 when the texts are others than the caller saw. */
export function refuseStale(found: Correctable, ifVersion: number): void {
  if (versionOf(found) === ifVersion) return;
  throw new ServiceError(
    "invalidRequest",
    "The text changed in the meantime. Read it again, then repeat your correction.",
    { reason: "staleRevision", status: 412 },
  );
}
