import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { PlanName } from "@reelscript/contract";
import { startPlatformStandin, type PlatformStandin } from "@reelscript/platform-standin";
import {
  createEmbeddedRecogniser,
  createMediaDecoder,
  createTranscriber,
  embeddedModelDirectory,
  embeddedModelQuality,
  type Recogniser,
} from "@reelscript/whisper";
import { createDevelopmentBiller } from "../../src/adapters/billing/development/development-biller.ts";
import { createStripeBiller } from "../../src/adapters/billing/stripe-biller.ts";
import { openStore, type OpenedStore } from "../../src/adapters/database/open-store.ts";
import type { FetchLimits } from "../../src/adapters/guarded-fetch/guarded-fetch.ts";
import { standinPlatform, publicPlatform } from "../../src/adapters/platform/platform.ts";
import { createReelLocator } from "../../src/adapters/platform/reel-locator.ts";
import { createPictureSource } from "../../src/adapters/pictures/create-picture-source.ts";
import { createReelSources } from "../../src/adapters/reel-sources.ts";
import { createWhisperTranscriber } from "../../src/adapters/whisper/whisper-transcriber.ts";
import { createApiKey, createNewId } from "../../src/api-key.ts";
import type { Biller, Transcriber } from "../../src/ports.ts";
import { startService } from "../../src/service.ts";
import type { ServiceSettings } from "../../src/service-settings.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

export interface TestService {
  readonly url: string;
  readonly store: OpenedStore;
  readonly clock: TestClock;
  readonly standin: PlatformStandin;
  readonly biller: Biller;
  /** Signs events of the biller. */
  readonly webhookSecret: string;
  /** What the service logged as a fault of its own. */
  readonly faults: { readonly error: unknown; readonly where: string }[];
  /** A new account and its first key. */
  createCaller(options?: { plan?: PlanName }): Promise<TestCaller>;
  close(): Promise<void>;
}

interface TestCaller {
  readonly accountId: string;
  readonly key: string;
  readonly keyId: string;
  /** One more key of the same account. */
  createKey(): Promise<{ key: string; keyId: string }>;
}

export interface TestServiceOptions extends Partial<Omit<ServiceSettings, "model">> {
  /** `null` starts without speech recognition: whatever needs it fails. */
  readonly transcriber?: Transcriber | null;
  readonly recogniser?: () => Promise<Recogniser>;
  readonly maxAudioSeconds?: number;
  readonly maxMediaBytes?: number;
  readonly fetchLimits?: Partial<FetchLimits>;
  /** How the development biller tells its events, and whether it is away. */
  readonly billing?: Pick<Parameters<typeof createDevelopmentBiller>[0], "disorder"> & {
    readonly away?: () => boolean;
  };
}

/** The whole service on a free port, with a database of its own, the stand-in of the platform and the real recogniser. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const directory = await mkdtemp(path.join(tmpdir(), "reelscript-test-"));
  const closers: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const clock = createTestClock();
  const faults: TestService["faults"] = [];
  const onFault = (error: unknown, where: string): void => void faults.push({ error, where });

  const [store, standin] = await Promise.all([
    openStore({ dataDirectory: directory, newId: createNewId() }),
    startPlatformStandin(),
  ]);
  closers.push(
    () => standin.close(),
    () => store.close(),
  );
  const standinOnly = [standinPlatform(standin)];
  const log = (): void => undefined;
  const locator = createReelLocator({ platforms: [publicPlatform, ...standinOnly], log });
  const source = await createReelSources({
    // URLs of the public platform are understood, but no test reaches it.
    platforms: standinOnly,
    order: ["platform"],
    maxBytes: options.maxMediaBytes ?? 50_000_000,
    limits: options.fetchLimits,
    clock,
    log,
  });
  let transcriber = options.transcriber;
  if (transcriber === undefined) {
    const recogniser = options.recogniser
      ? await options.recogniser()
      : createEmbeddedRecogniser({ modelDirectory: embeddedModelDirectory, threads: 2 });
    const decoder = await createMediaDecoder({ searchPath: process.env.PATH });
    const whisper = createTranscriber({ decoder, recogniser, maxSeconds: options.maxAudioSeconds ?? 900 });
    closers.push(() => whisper.close());
    await whisper.ready();
    transcriber = createWhisperTranscriber(whisper, whisper.model);
  }
  const settings: ServiceSettings = {
    host: "127.0.0.1",
    port: 0,
    baseUrl: undefined,
    trustProxy: false,
    role: transcriber === null ? "api" : "all",
    quotaScope: "key",
    rateLimits: { default: 60, transcribe: 10, bioWrite: 20, address: 600 },
    sessionRateLimits: { default: 6_000, transcribe: 120, bioWrite: 1_000 },
    signIn: { kind: "development" },
    signInLimit: 1_000,
    queueLimit: 50,
    slots: 1,
    model: transcriber?.model ?? "none",
    workDirectory: directory,
    languageQuality: embeddedModelQuality,
    ...options,
  };
  const developmentBiller = createDevelopmentBiller({
    file: path.join(directory, "development-biller.json"),
    clock,
    onFault,
    ...options.billing,
  });
  const biller = createStripeBiller({
    ...developmentBiller,
    fetch: async (...call) => {
      if (options.billing?.away?.()) throw new Error("connect ECONNREFUSED");
      return developmentBiller.fetch(...call);
    },
    onNotice: log,
  });
  const service = await startService(
    settings,
    {
      store,
      locator,
      source,
      pictures: createPictureSource(standinOnly),
      transcriber: transcriber ?? undefined,
      biller,
      developmentBiller,
      clock,
    },
    { onFault, onNotice: log },
  );
  closers.push(() => service.stop());

  const createKey = async (accountId: string) => {
    const { key, hash, lastFour } = createApiKey();
    const made = await store.keys.create({ accountId, name: "test", hash, lastFour, now: clock.now() });
    if (typeof made === "string") throw new Error(`no key: ${made}`);
    return { key, keyId: made.id };
  };
  return {
    url: service.url ?? "",
    store,
    clock,
    standin,
    biller,
    webhookSecret: developmentBiller.webhookSecret,
    faults,
    async createCaller({ plan = "free" } = {}) {
      const { id: accountId } = await store.accounts.create({ email: "somebody@example.com", plan, now: clock.now() });
      return { accountId, ...(await createKey(accountId)), createKey: () => createKey(accountId) };
    },
    async close() {
      for (const close of closers.toReversed()) await close();
    },
  };
}
