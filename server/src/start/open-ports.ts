import path from "node:path";
import { type PlatformStandin, startPlatformStandin } from "@reelscript/platform-standin";
import type { DownloadProgress, EmbeddedRecognizer } from "@reelscript/whisper";
import { createLocalBiller } from "../adapters/billing/local-biller.ts";
import type { DatabaseLog } from "../adapters/database/engine/engine.ts";
import { type OpenedStore, openStore } from "../adapters/database/open-store.ts";
import { preparedDirectory } from "../adapters/database/prepared-database.ts";
import { openObjects } from "../adapters/objects/open-objects.ts";
import { publicPlatforms, standinPlatform } from "../adapters/platforms/platforms.ts";
import { findVideoRenderer } from "../adapters/videos/ffmpeg-renderer.ts";
import { createWhisperTranscriber } from "../adapters/whisper/whisper-transcriber.ts";
import { videoAdvice } from "../rules/machine-needs.ts";
import { createNewId } from "../rules/new-id.ts";
import type { Config } from "../settings/config.ts";
import {
  languageQualityOf,
  recognizerOf,
  translatedLanguagesOf,
  unreadHint,
  unreadLanguages,
} from "../recognition/recognizer-of.ts";
import type { Clock, PlatformPace } from "../ports.ts";
import type { FaultListener, JoinedPorts } from "../settings/service-settings.ts";
import { mailerOf } from "./invite.ts";
import { joinPorts } from "./join-ports.ts";
import { openWhisper } from "./open-whisper.ts";
import type { Decodings } from "../telemetry/telemetry.ts";

/** Rests of an address that a platform refused. */
const pauseAfterWall = { firstSeconds: 60, longestSeconds: 30 * 60 };

/** The parts in use, for the banner. */
export interface Parts {
  readonly standin:
    | {
        readonly origin: string;
        readonly videoOrigins: readonly string[];
        readonly exampleUrl: string;
        readonly reels: readonly { readonly url: string; readonly kind: string; readonly language: string }[];
      }
    | undefined;
  readonly sources: string;
  readonly transcriber: string;
}

export interface OpenedPorts extends JoinedPorts {
  readonly parts: Parts;
  /** The processes that recognize speech here, if there are any. */
  readonly recognizerProcesses: Pick<EmbeddedRecognizer, "processIds" | "restarts"> | undefined;
  /** Closes in reverse what was opened. */
  close(): Promise<void>;
}

/** The stand-in of the platform, if it is configured. */
export async function openStandin(
  { standin: settings }: Pick<Config, "standin">,
  closers: (() => Promise<void>)[],
): Promise<PlatformStandin | undefined> {
  if (settings === undefined) return undefined;
  const standin = await startPlatformStandin({ port: settings.port });
  closers.push(() => standin.close());
  return standin;
}

/** Opens everything in the configuration except the store; independent parts are opened in parallel. */
export async function openPorts(
  config: Config,
  clock: Clock,
  workDirectory: string,
  listener: {
    /** Receives the reason why a source could not provide a reel. */
    readonly onNotice: FaultListener["onNotice"];
    readonly onFault: FaultListener["onFault"];
    readonly onDownload: (progress: DownloadProgress) => void;
    /** Receives advice for the operator. */
    readonly onHint: (hint: string) => void;
    readonly decodings?: Decodings | undefined;
    /** May be used once the store is open. */
    readonly turns: PlatformPace;
    readonly standin?: PlatformStandin | undefined;
  },
): Promise<OpenedPorts> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0).toReversed()) await one();
  };
  const opened = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    closers.push(() => part.close());
    return part;
  };
  const { dataDirectory, searchPath } = config;
  const { standin } = listener;
  try {
    const quality = languageQualityOf(config);
    const whisper = config.role === "api" ? undefined : opened(await openWhisper(config, listener));
    const videoRenderer = config.role === "api" ? undefined : await findVideoRenderer(config);
    if (config.role !== "api" && videoRenderer === undefined) listener.onHint(videoAdvice);
    const { sources, ...ports } = await joinPorts({
      platforms: [
        ...publicPlatforms.filter(({ name }) => config.platforms.some((one) => one === name)),
        ...(standin ? [standinPlatform(standin)] : []),
      ],
      sources: {
        order: config.sources,
        ytdlp: { ...config.ytdlp, dataDirectory, searchPath, workDirectory },
        maxBytes: config.maxMediaBytes,
      },
      canaryUrl: config.role === "api" ? undefined : config.platformCanaryUrl,
      // The operator's own platform needs no pacing.
      exits: ({ mayBePrivate }) => (mayBePrivate ? {} : publicExits(config, listener.turns)),
      transcriber:
        whisper &&
        createWhisperTranscriber(whisper, recognizerOf(config), {
          translated: translatedLanguagesOf(config),
          unread: unreadLanguages(quality),
          onUnread: (language) => listener.onHint(unreadHint(quality, language)),
        }),
      videoRenderer,
      ...(config.role !== "worker" && paymentsOf(config, clock, listener)),
      mailer: mailerOf(config),
      isDevelopment: !config.production,
      webhookNetworks: config.webhookNetworks,
      clock,
      onNotice: listener.onNotice,
      onHint: listener.onHint,
    });
    const example = standin?.reels.find(({ kind, language }) => kind === "speech" && language === "en");
    return {
      ...ports,
      recognizerProcesses: whisper?.recognizer,
      parts: {
        standin: standin &&
          example && {
            origin: standin.origin,
            videoOrigins: [standin.origin, standin.mediaOrigin],
            exampleUrl: standin.urlOf(example.code),
            reels: standin.reels.map(({ code, kind, language }) => ({ url: standin.urlOf(code), kind, language })),
          },
        sources,
        transcriber: whisper?.description ?? "in other processes",
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const publicExits = (
  { platformProxies: proxies, platformIntervalSeconds: intervalSeconds }: Config,
  turns: PlatformPace,
) => ({ proxies, pace: { turns, intervalSeconds }, pauseAfterWall });

/** Stripe; if it isn't set up, none where people sign in by password, and the local biller elsewhere. */
function paymentsOf(
  { stripe, signIn, dataDirectory }: Config,
  clock: Clock,
  { onFault }: Pick<FaultListener, "onFault">,
) {
  if (stripe) return { stripe };
  if (signIn.kind === "password") return { operatorSetsPlans: true };
  const file = path.join(dataDirectory, "local-biller.json");
  return { localBiller: createLocalBiller({ file, clock, onFault }) };
}

/** Opens the store, and returns unfinished work of processes that died. */
export async function openOwnStore(
  config: Config,
  clock: Clock,
  log?: DatabaseLog,
  onStorageFailure: (action: string) => void = () => undefined,
): Promise<OpenedStore> {
  const { databaseUrl, databaseReadUrl, serverLimits, dataDirectory, objectStorage } = config;
  const objects = openObjects(objectStorage, dataDirectory, (error, action) => {
    log?.warn({ err: error, action }, "The object storage failed");
    onStorageFailure(action);
  });
  const store = await openStore({
    databaseUrl,
    databaseReadUrl,
    serverLimits,
    dataDirectory,
    prepared: await preparedDirectory(),
    newId: createNewId(),
    log,
    objects,
  });
  // The embedded database has one process, so former holders of leases and idempotency keys are gone.
  if (databaseUrl === undefined)
    try {
      await store.transcriptions.expireLeases(clock.now());
      await store.idempotentAnswers.releaseAll();
    } catch (error) {
      await store.close().catch(() => undefined);
      throw error;
    }

  return store;
}

/** Waits for all before throwing the first failure, so that nothing is opened after the throw. */
export async function awaitAll<Opened extends readonly unknown[]>(
  parts: Opened,
): Promise<{ -readonly [Index in keyof Opened]: Awaited<Opened[Index]> }> {
  const results = await Promise.allSettled(parts);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as {
    -readonly [Index in keyof Opened]: Awaited<Opened[Index]>;
  };
}
