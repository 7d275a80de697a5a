import type { ReelAddress } from "../../ports.ts";
import { FetchFailure } from "../guarded-fetch/fetch-failure.ts";
import type { PlatformMedia } from "./platform-media.ts";
import type { PlatformSession, Sighting } from "./platform-session.ts";
import { SourceFailure, type SourceFailureKind } from "./source-failure.ts";

/** A way to learn about a reel. A wall before one query stands before all queries; pages are walled one by one. */
export interface Way {
  readonly name: string;
  readonly kind: "query" | "page";
  /** Throws `SourceFailure`, or the reason of the session's signal. */
  readonly ask: (reel: ReelAddress, session: PlatformSession) => Promise<PlatformMedia>;
}

type Verdict = "data" | "shell" | "wall" | "gone" | "gated" | "changed" | "unreachable";

/** What a way gave, with the last answer that it got. */
interface WayOutcome {
  readonly way: string;
  readonly verdict: Verdict;
  readonly sighting: Sighting | undefined;
  readonly media: PlatformMedia | undefined;
  readonly failure: SourceFailure | undefined;
}

const verdicts: Readonly<Record<SourceFailureKind, Verdict>> = {
  private: "gated",
  ageGated: "gated",
  deleted: "gone",
  walled: "wall",
  changed: "changed",
  unreachable: "unreachable",
  notVideo: "data",
  tooLarge: "data",
  installation: "unreachable",
};

/** One way on its own. Throws the reason of the session's signal, and faults of ours. */
async function tryWay(way: Way, reel: ReelAddress, session: PlatformSession): Promise<WayOutcome> {
  const before = session.seen.length;
  const outcome = (verdict: Verdict, found: Partial<WayOutcome>): WayOutcome => ({
    way: way.name,
    verdict,
    sighting: session.seen.slice(before).at(-1),
    media: undefined,
    failure: undefined,
    ...found,
  });
  try {
    return outcome("data", { media: await way.ask(reel, session) });
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return outcome(verdicts[error.kind], { failure: error });
  }
}

const final: ReadonlySet<SourceFailureKind> = new Set(["private", "deleted", "ageGated", "notVideo"]);

/** Asks one way after the other. Throws `SourceFailure`, or the reason of the session's signal. */
export async function askInTurn(
  ways: readonly Way[],
  reel: ReelAddress,
  session: PlatformSession,
): Promise<PlatformMedia> {
  const failures: SourceFailure[] = [];
  let queriesAreWalled = false;
  for (const way of ways) {
    if (way.kind === "query" && queriesAreWalled) continue;
    const { media, failure } = await tryWay(way, reel, session);
    if (media !== undefined) return media;
    if (failure === undefined) continue;
    if (final.has(failure.kind) || isSilence(failure)) throw failure;
    failures.push(failure);
    queriesAreWalled ||= way.kind === "query" && failure.kind === "walled";
  }
  throw worst(failures);
}

/** Where no complete answer comes from at one door, the others would only cost time. */
function isSilence({ cause }: SourceFailure): boolean {
  return cause instanceof FetchFailure && cause.reason === "unreachable";
}

/** A wall explains all the rest; otherwise the first way says most. */
function worst(failures: readonly SourceFailure[]): SourceFailure {
  const worstFailure = failures.find(({ kind }) => kind === "walled") ?? failures[0];
  const story = failures.map(({ kind, message }) => `${kind}: ${message}`).join("; ");
  return new SourceFailure(worstFailure?.kind ?? "changed", story, worstFailure);
}
