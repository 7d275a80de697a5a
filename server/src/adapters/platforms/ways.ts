import type { Way, Platform, PlatformSession, Sighting } from "./platform.ts";
import type { ReelAddress } from "../../ports.ts";
import { FetchFailure } from "../guarded-fetch/fetch-failure.ts";
import type { PlatformMedia } from "./platform-media.ts";
import { EmptyShell, SourceFailure, type SourceFailureKind } from "./source-failure.ts";

/** The result of one route: data, or the reason why there is none. */
export type WayVerdict = "data" | "shell" | "wall" | "gone" | "gated" | "changed" | "unreachable" | "broken";

const verdicts: Readonly<Record<SourceFailureKind, WayVerdict>> = {
  private: "gated",
  ageGated: "gated",
  regionGated: "gated",
  deleted: "gone",
  walled: "wall",
  changed: "changed",
  unreachable: "unreachable",
  notVideo: "data",
  tooLarge: "data",
  tooLong: "data",
  installation: "broken",
};

interface WayOutcome {
  readonly way: string;
  readonly verdict: WayVerdict;
  /** The last response. */
  readonly sighting: Sighting | undefined;
  readonly media: PlatformMedia | undefined;
  readonly failure: SourceFailure | undefined;
}

/**
 * Tries one route, and returns its outcome with the last response. Throws the reason of the session's signal, and our own
 * faults.
 */
export async function tryWay(way: Way, reel: ReelAddress, session: PlatformSession): Promise<WayOutcome> {
  const before = session.seen.length;
  let media: PlatformMedia | undefined;
  let failure: SourceFailure | undefined;
  let verdict: WayVerdict = "data";
  try {
    media = await way.ask(reel, session);
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    failure = error;
    verdict = error instanceof EmptyShell ? "shell" : verdicts[error.kind];
  }
  return { way: way.name, verdict, sighting: session.seen.slice(before).at(-1), media, failure };
}

const final: ReadonlySet<SourceFailureKind> = new Set(["private", "ageGated", "regionGated", "notVideo"]);

/** Tries the routes one after the other. Throws `SourceFailure`, or the reason of the session's signal. */
export async function askInTurn(
  platform: Platform,
  ways: readonly Way[],
  reel: ReelAddress,
  session: PlatformSession,
): Promise<PlatformMedia> {
  const outcomes: WayOutcome[] = [];
  const gone = new Set<Way["kind"]>();
  for (const way of ways) {
    const outcome = await tryWay(way, reel, session);
    const { media, failure } = outcome;
    if (media !== undefined) return media;
    if (failure === undefined || final.has(failure.kind) || isSilence(failure)) throw failure;
    outcomes.push(outcome);
    if (failure.kind === "deleted") gone.add(way.kind);
    if (gone.size === 2)
      throw new SourceFailure(
        platform.isPrivateForm(reel.shortcode) ? "private" : "deleted",
        storyOf(outcomes),
        failure,
      );
  }
  throw worstOf(outcomes, platform);
}

/** If one route gets no complete response, the others would only cost time. */
function isSilence({ cause }: SourceFailure): boolean {
  return cause instanceof FetchFailure && (cause.reason === "unreachable" || cause.reason === "proxyFailed");
}

/** A wall explains all the rest. Otherwise the first route's failure counts, unless it alone says that the reel is gone. */
function worstOf(outcomes: readonly WayOutcome[], platform: Platform): SourceFailure {
  const failures = outcomes.flatMap(({ failure }) => (failure && failure.kind !== "deleted" ? [failure] : []));
  const worst = failures.find(({ kind }) => kind === "walled") ?? failures[0];
  const kind = worst?.kind ?? "changed";
  const seen = kind === "changed" ? `. ${outcomes.map((outcome) => seenBy(outcome, platform)).join("; ")}` : "";
  return new SourceFailure(kind, storyOf(outcomes) + seen, worst);
}

const storyOf = (outcomes: readonly WayOutcome[]): string =>
  outcomes.map(({ way, failure }) => `${way}: ${failure?.kind}: ${failure?.message}`).join("; ");

const shownCharacters = 200;

/** Details from which a change of the platform can be understood. */
function seenBy({ way, sighting }: WayOutcome, platform: Platform): string {
  if (sighting === undefined) return `${way} saw nothing`;
  const { status, text } = sighting;
  // Longer than the part that is shown, so that no token is cut before its end is found.
  const beginning = platform.strikeOut(text.slice(0, 10_000)).slice(0, shownCharacters);
  return `${way} saw ${status}, route ${platform.routeOf(text) ?? "none"}, ${JSON.stringify(beginning)}`;
}
