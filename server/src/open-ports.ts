import path from "node:path";
import { startPlatformStandin } from "@reelscript/platform-standin";
import {
  createEmbeddedRecogniser,
  createMediaDecoder,
  createOpenAiRecogniser,
  createTranscriber,
  embeddedModelDirectory,
  locateModel,
  type DownloadProgress,
  type Transcriber as WhisperTranscriber,
} from "@reelscript/whisper";
import { createDevelopmentBiller } from "./adapters/billing/development/development-biller.ts";
import { createStripeBiller } from "./adapters/billing/stripe-biller.ts";
import type { DatabaseLog } from "./adapters/database/engine.ts";
import { type OpenedStore, openStore } from "./adapters/database/open-store.ts";
import { publicPlatform, standinPlatform } from "./adapters/platform/platform.ts";
import { createReelLocator } from "./adapters/platform/reel-locator.ts";
import { createPictureSource } from "./adapters/pictures/create-picture-source.ts";
import { createReelSources } from "./adapters/reel-sources.ts";
import { createWhisperTranscriber } from "./adapters/whisper/whisper-transcriber.ts";
import { createNewId } from "./api-key.ts";
import type { Config } from "./config.ts";
import type { Clock } from "./ports.ts";
import type { Ports, Report } from "./service-settings.ts";

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
  /** Closes in reverse what was opened. */
  close(): Promise<void>;
}

export const modelOf = (config: Config): string => {
  const { transcriber } = config;
  if (transcriber.kind === "openai") return transcriber.model;
  const others = Object.entries(transcriber.languageModels).map(
    ([language, model]) => `${language}:${path.basename(model)}`,
  );
  return [path.basename(transcriber.model ?? "whisper-base"), ...others].join("+");
};

/** Opens everything that the configuration names beside the store; what depends on nothing else is opened side by side. */
export async function openPorts(
  config: Config,
  clock: Clock,
  report: {
    /** Told why a source did not give a reel. */
    readonly onNotice: Report["onNotice"];
    readonly onFault: Report["onFault"];
    readonly onDownload: (progress: DownloadProgress) => void;
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
  try {
    const [standin, whisper] = await settled([
      config.standin ? startPlatformStandin({ port: config.standin.port }).then(opened) : undefined,
      config.role === "api" ? undefined : openWhisper(config, report.onDownload).then(opened),
    ]);
    const platforms = [publicPlatform, ...(standin ? [standinPlatform(standin)] : [])];
    const log = (message: string, error: unknown): void => report.onNotice(error, message);
    const locator = createReelLocator({ platforms, log });
    const source = await createReelSources({
      platforms,
      order: config.sources,
      ytdlp: { ...config.ytdlp, searchPath: config.searchPath },
      maxBytes: config.maxMediaBytes,
      clock,
      log,
    });
    const example = standin?.reels.find(({ kind, language }) => kind === "speech" && language === "en");
    return {
      ...(config.role === "worker" ? { biller: undefined } : openBiller(config, clock, report)),
      locator,
      source,
      pictures: createPictureSource(platforms),
      transcriber: whisper && createWhisperTranscriber(whisper, modelOf(config)),
      clock,
      parts: {
        standin: standin &&
          example && {
            origin: standin.origin,
            exampleUrl: standin.urlOf(example.code),
            reels: standin.reels.map(({ code, kind, language }) => ({ url: standin.urlOf(code), kind, language })),
          },
        sources: source.description,
        transcriber: whisper?.description ?? "in other processes",
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Stripe, or what stands in for it behind Stripe's own client. */
function openBiller(
  config: Config,
  clock: Clock,
  { onNotice, onFault }: Pick<Report, "onNotice" | "onFault">,
): Pick<Ports, "biller" | "developmentBiller"> {
  if (config.stripe) return { biller: createStripeBiller({ ...config.stripe, onNotice }) };
  const file = path.join(config.dataDirectory, "development-biller.json");
  const developmentBiller = createDevelopmentBiller({ file, clock, onFault });
  return { biller: createStripeBiller({ ...developmentBiller, onNotice }), developmentBiller };
}

/** The store, with what a process that died left half done given back. */
export async function openOwnStore(config: Config, clock: Clock, log?: DatabaseLog): Promise<OpenedStore> {
  const { databaseUrl, dataDirectory } = config;
  const store = await openStore({ databaseUrl, dataDirectory, newId: createNewId(), log });
  // The embedded database has one process: whoever held a lease or an idempotency key is gone.
  if (databaseUrl === undefined) {
    await store.transcriptions.expireLeases(clock.now());
    await store.idempotentAnswers.releaseAll();
  }
  return store;
}

async function openWhisper(
  config: Config,
  onDownload: (progress: DownloadProgress) => void,
): Promise<WhisperTranscriber> {
  const { transcriber, slots, maxAudioSeconds: maxSeconds, ffmpegPath, searchPath, maxMediaBytes: maxBytes } = config;
  const recogniser = transcriber.kind === "openai" ? createOpenAiRecogniser(transcriber) : await openEmbedded();
  const decoder = await createMediaDecoder({ ffmpegPath, maxBytes, searchPath });
  const whisper = createTranscriber({ decoder, recogniser, maxSeconds });
  try {
    await whisper.ready();
    return whisper;
  } catch (error) {
    await whisper.close();
    throw error;
  }

  async function openEmbedded() {
    if (transcriber.kind !== "embedded") throw new Error("another transcriber is configured");
    const locate = (model: string): Promise<string> =>
      locateModel(model, { dataDirectory: config.dataDirectory, hubUrl: transcriber.hubUrl, onProgress: onDownload });
    const modelDirectory = transcriber.model === undefined ? embeddedModelDirectory : await locate(transcriber.model);
    const languageModels: Record<string, string> = {};
    for (const [language, model] of Object.entries(transcriber.languageModels))
      languageModels[language] = await locate(model);
    return createEmbeddedRecogniser({ modelDirectory, languageModels, slots, threads: transcriber.threads });
  }
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
