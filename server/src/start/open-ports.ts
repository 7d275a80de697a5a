import path from "node:path";
import { startPlatformStandin } from "@reelscript/platform-standin";
import {
  createEmbeddedRecognizer,
  createMediaDecoder,
  createOpenAiRecognizer,
  createTranscriber,
  embeddedModelDirectory,
  embeddedModelName,
  locateModel,
  type DownloadProgress,
  type EmbeddedRecognizer,
  type Transcriber as WhisperTranscriber,
} from "@reelscript/whisper";
import { createDevelopmentBiller } from "../adapters/billing/development/development-biller.ts";
import type { DatabaseLog } from "../adapters/database/engine/engine.ts";
import { type OpenedStore, openStore } from "../adapters/database/open-store.ts";
import { openObjects } from "../adapters/objects/open-objects.ts";
import { publicPlatforms, standinPlatform } from "../adapters/platforms/platforms.ts";
import { createWhisperTranscriber } from "../adapters/whisper/whisper-transcriber.ts";
import { createNewId } from "../callers/api-key.ts";
import type { Config } from "../settings/config.ts";
import { languageQualityOf, largerModelHint, unreadLanguages } from "../recognition/language-quality.ts";
import type { Clock, PlatformTurns } from "../ports.ts";
import { recognizerOf } from "../recognition/recognizer-of.ts";
import type { Ports, FaultListener } from "../settings/service-settings.ts";
import { joinPorts } from "./join-ports.ts";
import { observeDecoder } from "../telemetry/observe-decoder.ts";
import type { Decodings } from "../telemetry/telemetry.ts";

/** Of an address that a platform turned away. */
const pauseAfterWall = { firstSeconds: 60, longestSeconds: 30 * 60 };

/** What the banner tells about the parts in use. */
export interface Parts {
  readonly standin:
    | {
        readonly origin: string;
        readonly exampleUrl: string;
        readonly reels: readonly { readonly url: string; readonly kind: string; readonly language: string }[];
      }
    | undefined;
  readonly sources: string;
  readonly transcriber: string;
}

export interface OpenedPorts extends Omit<Ports, "store"> {
  readonly parts: Parts;
  /** The processes that recognize speech here, where there are any. */
  readonly recognizer: Pick<EmbeddedRecognizer, "processIds" | "restarts"> | undefined;
  /** Closes in reverse what was opened. */
  close(): Promise<void>;
}

/** Opens everything that the configuration names beside the store; what depends on nothing else is opened side by side. */
export async function openPorts(
  config: Config,
  clock: Clock,
  workDirectory: string,
  listener: {
    /** Told why a source did not give a reel. */
    readonly onNotice: FaultListener["onNotice"];
    readonly onFault: FaultListener["onFault"];
    readonly onDownload: (progress: DownloadProgress) => void;
    /** Told what the operator can do about something. */
    readonly onHint: (hint: string) => void;
    readonly decodings?: Decodings | undefined;
    /** May be used once the store is open. */
    readonly turns: PlatformTurns;
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
  try {
    const [standin, whisper] = await settled([
      config.standin ? startPlatformStandin({ port: config.standin.port }).then(opened) : undefined,
      config.role === "api" ? undefined : openWhisper(config, listener).then(opened),
    ]);
    const { sources, ...ports } = await joinPorts({
      platforms: [...publicPlatforms, ...(standin ? [standinPlatform(standin)] : [])],
      sources: {
        order: config.sources,
        ytdlp: { ...config.ytdlp, dataDirectory, searchPath, workDirectory },
        maxBytes: config.maxMediaBytes,
      },
      canaryUrl: config.role === "api" ? undefined : config.platformCanaryUrl,
      // What the operator runs needs no care.
      exits: ({ mayBePrivate }) => (mayBePrivate ? {} : publicExits(config, listener.turns)),
      transcriber:
        whisper &&
        createWhisperTranscriber(whisper, recognizerOf(config), {
          unread: unreadLanguages(languageQualityOf(config)),
          onUnread: (language) => listener.onHint(largerModelHint([language])),
        }),
      ...(config.role !== "worker" && paymentsOf(config, clock, listener)),
      isDevelopment: !config.production,
      clock,
      onNotice: listener.onNotice,
      onHint: listener.onHint,
    });
    const example = standin?.reels.find(({ kind, language }) => kind === "speech" && language === "en");
    return {
      ...ports,
      recognizer: whisper?.recognizer,
      parts: {
        standin: standin &&
          example && {
            origin: standin.origin,
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
  turns: PlatformTurns,
) => ({ proxies, pace: { turns, intervalSeconds }, pauseAfterWall });

/** Stripe, or what stands in for it. */
function paymentsOf({ stripe, dataDirectory }: Config, clock: Clock, { onFault }: Pick<FaultListener, "onFault">) {
  if (stripe) return { stripe };
  const file = path.join(dataDirectory, "development-biller.json");
  return { developmentBiller: createDevelopmentBiller({ file, clock, onFault }) };
}

/** The store, with what a process that died left half done given back. */
export async function openOwnStore(config: Config, clock: Clock, log?: DatabaseLog): Promise<OpenedStore> {
  const { databaseUrl, databaseReadUrl, serverLimits, dataDirectory, objectStorage } = config;
  const objects = openObjects(objectStorage, dataDirectory, (error, action) =>
    log?.warn({ err: error, action }, "The object storage failed"),
  );
  const store = await openStore({
    databaseUrl,
    databaseReadUrl,
    serverLimits,
    dataDirectory,
    newId: createNewId(),
    log,
    objects,
  });
  // The embedded database has one process: whoever held a lease or an idempotency key is gone.
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

async function openWhisper(
  config: Config,
  {
    onDownload,
    decodings,
  }: { readonly onDownload: (progress: DownloadProgress) => void; readonly decodings?: Decodings | undefined },
): Promise<WhisperTranscriber & Pick<OpenedPorts, "recognizer">> {
  const { transcriber, slots, maxAudioSeconds: maxSeconds, ffmpegPath, searchPath, maxMediaBytes: maxBytes } = config;
  const embedded = transcriber.kind === "openai" ? undefined : await openEmbedded();
  const recognizer = embedded ?? createOpenAiRecognizer(endpointOf(config));
  const plain = await createMediaDecoder({ ffmpegPath, maxBytes, searchPath });
  const decoder = decodings ? observeDecoder(plain, decodings) : plain;
  const whisper = createTranscriber({ decoder, recognizer, maxSeconds });
  try {
    await whisper.ready();
    return { ...whisper, recognizer: embedded };
  } catch (error) {
    await whisper.close();
    throw error;
  }

  async function openEmbedded() {
    if (transcriber.kind !== "embedded") throw new Error("another transcriber is configured");
    const { dataDirectory } = config;
    const { threads, idleSeconds } = transcriber;
    const locate = async (model = embeddedModelName): Promise<string> =>
      model === embeddedModelName
        ? embeddedModelDirectory
        : locateModel(model, { dataDirectory, hubUrl: transcriber.hubUrl, onProgress: onDownload });
    const modelDirectory = await locate(transcriber.model);
    const languageModels: Record<string, string> = {};
    for (const [language, model] of Object.entries(transcriber.languageModels))
      languageModels[language] = await locate(model);
    return createEmbeddedRecognizer({ modelDirectory, languageModels, slots, threads, idleSeconds });
  }
}

function endpointOf({ transcriber }: Config): Extract<Config["transcriber"], { kind: "openai" }> {
  if (transcriber.kind !== "openai") throw new Error("another transcriber is configured");
  return transcriber;
}

/** Waits for all before the first failure is thrown, so that nothing is opened behind its back. */
export async function settled<Parts extends readonly unknown[]>(
  parts: Parts,
): Promise<{ -readonly [Index in keyof Parts]: Awaited<Parts[Index]> }> {
  const results = await Promise.allSettled(parts);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as {
    -readonly [Index in keyof Parts]: Awaited<Parts[Index]>;
  };
}
