import { ServiceError } from "@reelscript/contract";
import { linkGrammars } from "@reelscript/contract/values";
import { findExecutable } from "@reelscript/whisper";
import type { Clock, PlatformContact, ReelAddress, ReelSource } from "../ports.ts";
import type { FetchLimits } from "./guarded-fetch/guarded-fetch.ts";
import { createWayChecks } from "./platforms/check-ways.ts";
import type { Exits } from "./platforms/exits.ts";
import { longestReelSeconds, type Platform } from "./platforms/platform.ts";
import { createPlatformSource } from "./platforms/platform-source.ts";
import { failureMeanings, type Refusal, SourceFailure } from "./platforms/source-failure.ts";
import { introduceYtDlp, repairYtDlp } from "./ytdlp/describe-ytdlp.ts";
import { nodeSolves } from "./ytdlp/ytdlp-arguments.ts";
import { findYtDlp } from "./ytdlp/install-ytdlp.ts";
import { createYtDlpSource, type YtDlpSettings } from "./ytdlp/ytdlp-source.ts";

type ReelSourceName = "platform" | "ytdlp";

export interface ReelSourcesOptions {
  /** The sources to try, in this order. */
  readonly order: readonly ReelSourceName[];
  readonly platforms: readonly Platform[];
  /** Only public platforms use yt-dlp. Without `path` it is searched for on `searchPath`. */
  readonly ytdlp?: Pick<YtDlpSettings, "cookiesFile" | "workDirectory"> & {
    readonly path?: string | undefined;
    /** The service may have installed it here; comes before `searchPath`. */
    readonly dataDirectory?: string | undefined;
    /** Written like `PATH`. Defaults to the folders that every system has. */
    readonly searchPath?: string | undefined;
  };
  /** Size limit of a media file. Default 200 MB. */
  readonly maxBytes?: number | undefined;
  readonly clock: Clock;
  /** Receives details that callers may not see. */
  readonly log: (message: string, error: unknown) => void;
  /** Receives hints about problems that the operator can fix. */
  readonly onHint?: ((hint: string) => void) | undefined;
  /** Without it platforms are reached directly, without limits. */
  readonly exitsOf?: ((platform: Platform) => Exits) | undefined;
  readonly limits?: Partial<FetchLimits> | undefined;
}

/** A source that throws `SourceFailure`. */
export interface NamedSource {
  readonly name: ReelSourceName;
  readonly source: ReelSource;
}

const megabyte = 1_000_000;
const defaultMaxBytes = 200 * megabyte;

const commonSearchPath = "/usr/local/bin:/usr/bin:/bin";

/** The sources of every platform, tried in turn until one has the reel. Throws if `ytdlp.path` names no program. */
export async function createReelSources(options: ReelSourcesOptions) {
  const { order, platforms, ytdlp = {}, clock, log, limits, maxBytes = defaultMaxBytes } = options;
  const { searchPath = commonSearchPath, cookiesFile, workDirectory, dataDirectory } = ytdlp;
  const { onHint = () => undefined } = options;
  const path = order.includes("ytdlp")
    ? await findYtDlp({ configured: ytdlp.path, dataDirectory, searchPath })
    : undefined;
  const introduced = path && (await introduceYtDlp(path, { searchPath, now: clock.now() }, onHint));

  const ytDlpOf = (platform: Platform, exits?: Exits): ReelSource | undefined =>
    path === undefined || platform.mayBePrivate
      ? undefined
      : createYtDlpSource({ platform, path, searchPath, cookiesFile, workDirectory, maxBytes, exits });
  const byPlatform = new Map(
    platforms.map((platform) => {
      const exits = options.exitsOf?.(platform);
      const sources: Record<ReelSourceName, ReelSource | undefined> = {
        platform:
          platform.createWays(clock).length === 0
            ? undefined
            : createPlatformSource({ platform, clock, maxBytes, exits, limits }),
        ytdlp: ytDlpOf(platform, exits),
      };
      const orderedSources = order.flatMap((name) => {
        const source = sources[name];
        return source === undefined ? [] : [{ name, source }];
      });
      return [platform.name, orderedSources];
    }),
  );
  const labelsOf = (some: readonly Platform[]): string => some.map(({ links }) => links.label).join(" and ");
  /** There is nothing to say about platforms that are fetched elsewhere. */
  const hasSource = ({ name }: Platform): boolean => byPlatform.get(name)?.length !== 0;
  const closed = platforms.filter((platform) => !hasSource(platform));
  if (closed.length > 0)
    onHint(`Reels of ${labelsOf(closed)} need yt-dlp. ${repairYtDlp} Or leave them out of PLATFORMS.`);
  const scripted = platforms.filter((platform) => platform.ytDlp.runsJavaScript && hasSource(platform));
  if (scripted.length > 0 && !nodeSolves() && (await findExecutable("deno", searchPath)) === undefined)
    onHint(`Reels of ${labelsOf(scripted)} need Node 22 or later, or deno on PATH.`);
  const descriptions: Record<ReelSourceName, string> = {
    platform: "the platform's public pages",
    ytdlp: introduced ? `${introduced}${cookiesFile ? " with cookies" : ""}` : "yt-dlp (not found)",
  };
  return {
    ...askInOrder((reel) => byPlatform.get(reel.platform) ?? [], { maxBytes, log, onHint }),
    /** True when a platform's reels have a source. */
    hasSource,
    /** Checks each route of a platform on its own. */
    checksOf: (platform: Platform) =>
      createWayChecks({ platform, clock, limits, ytDlpAt: (exits) => ytDlpOf(platform, exits) }),
    /** The sources by name, for people to read. */
    description: order.map((name) => descriptions[name]).join(", then "),
  };
}

/**
 * Tries one source after the other. Stops at a reel that the public can't see; if all sources fail, throws the first failure.
 */
export function askInOrder(
  sourcesOf: (reel: ReelAddress) => readonly NamedSource[],
  options: { readonly maxBytes: number } & Pick<ReelSourcesOptions, "log" | "onHint">,
): ReelSource {
  let isHinted = false;
  /** Without a failure no source is set up. */
  const refusalOf = (reel: ReelAddress, failure?: SourceFailure): ServiceError =>
    toServiceError(reel, failure?.meaning ?? failureMeanings.installation, options.maxBytes, failure);

  async function ask<Value>(
    reel: ReelAddress,
    signal: AbortSignal,
    take: (source: ReelSource, isLast: boolean) => Promise<Value>,
  ) {
    let first: SourceFailure | undefined;
    const sources = sourcesOf(reel);
    for (const [index, { name, source }] of sources.entries()) {
      signal.throwIfAborted();
      try {
        return await take(source, index === sources.length - 1);
      } catch (error) {
        if (signal.aborted || !(error instanceof SourceFailure)) throw error;
        options.log(`source ${name} did not give ${reel.platform} ${reel.shortcode}: ${error.kind}`, error);
        // A program that guesses from a status is not proof on its own.
        const isGuess = error.kind === "deleted" && name === "ytdlp";
        if (error.meaning.endsSources && !isGuess) throw refusalOf(reel, error);
        if (error.kind !== "installation") first = first === undefined || first.kind === "deleted" ? error : first;
        else if (!isHinted) {
          isHinted = true;
          options.onHint?.(`${error.message.slice(0, 500)} ${repairYtDlp}`);
        }
      }
    }
    throw refusalOf(reel, first);
  }

  return {
    resolve: (reel, signal, accountId) => ask(reel, signal, (source) => source.resolve(reel, signal, accountId)),
    fetch: (reel, file, signal, contact) =>
      ask(reel, signal, (source, isLast) =>
        source.fetch(reel, file, signal, contact && (isLast ? contact : waitingLess(contact))),
      ),
  };
}

/** Another source follows, so this one doesn't wait for a silent platform. */
const waitingLess = (contact: PlatformContact): PlatformContact => ({
  onAnswer: () => contact.onAnswer(),
  onSilence: () => contact.onSilence() || true,
  onWait: contact.onWait,
  onRest: contact.onRest,
});

function toServiceError({ platform }: ReelAddress, refusal: Refusal, maxBytes: number, cause?: unknown): ServiceError {
  const values = {
    platform: linkGrammars.find((grammar) => grammar.platform === platform)?.label ?? "this platform",
    maxMegabytes: Math.floor(maxBytes / megabyte),
    maxMinutes: longestReelSeconds / 60,
  };
  const { code, reason, message } = refusal;
  return new ServiceError(code, typeof message === "string" ? message : message(values), { reason, cause });
}
