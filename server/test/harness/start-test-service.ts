import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { ServiceError, translatedLanguages, type PlanName } from "@reelscript/contract";
import { startPlatformStandin, type AddedReel, type PlatformStandin } from "@reelscript/platform-standin";
import { embeddedModelErrors, embeddedModelQuality, type Recognizer } from "@reelscript/whisper";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { createLocalBiller } from "../../src/adapters/billing/local-biller.ts";
import { openStore, type OpenedStore } from "../../src/adapters/database/open-store.ts";
import type { FetchLimits } from "../../src/adapters/guarded-fetch/guarded-fetch.ts";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import type { Platform } from "../../src/adapters/platforms/platform.ts";
import { standinPlatform } from "../../src/adapters/platforms/platforms.ts";
import { createApiKey } from "../../src/callers/authenticate.ts";
import { createNewId } from "../../src/rules/new-id.ts";
import { unreadLanguages } from "../../src/recognition/recognizer-of.ts";
import type {
  Biller,
  FetchDocument,
  ImageSource,
  Mailer,
  Objects,
  ProbeLink,
  RateLimits,
  Scripts,
  Transcriber,
  VideoRenderer,
  WebhookSender,
} from "../../src/ports.ts";
import { startService } from "../../src/service.ts";
import type { ServiceSettings } from "../../src/settings/service-settings.ts";
import { joinPorts } from "../../src/start/join-ports.ts";
import type { Telemetry } from "../../src/telemetry/telemetry.ts";
import { createStripeStandin, type StripeStandin } from "../billing/stripe-standin.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";
import { openTestStore } from "./test-stores.ts";
import { openTestTranscriber } from "./test-transcriber.ts";
import { temporaryPlace } from "./temporary-place.ts";

/** A reel of the stand-in for which people aren't charged. */
const sampleCode = "CenSquare01";

export interface TestService {
  readonly url: string;
  /** Its data folder until it is closed. */
  readonly directory: string;
  readonly store: OpenedStore;
  readonly clock: TestClock;
  readonly standin: PlatformStandin;
  readonly biller: Biller;
  /** Replaces Stripe if the options say so; otherwise it is the local biller. */
  readonly stripe: StripeStandin | undefined;
  /** Faults that the service logged. Tests remove those that they provoke, because closing fails if any are left. */
  readonly faults: { readonly error: unknown; readonly where: string }[];
  /** Adds a reel to the stand-in, with sound that a real transcriber can't decode, and returns its URL. */
  readonly newReel: (reel?: AddedReel) => string;
  /** Simulates an update of the service: existing scripts now come from an older recognizer. */
  updateRecognizer(): void;
  /** Creates an account and its first key. */
  createCaller(options?: { plan?: PlanName }): Promise<TestCaller>;
  close(): Promise<void>;
}

interface TestCaller {
  readonly accountId: string;
  readonly key: string;
  readonly keyId: string;
  /** Creates another key of the same account. */
  createKey(): Promise<{ key: string; keyId: string }>;
}

export interface TestServiceOptions extends Partial<Omit<ServiceSettings, "recognizer" | "rateLimits">> {
  /** Limits that aren't given keep their defaults. */
  readonly rateLimits?: Partial<ServiceSettings["rateLimits"]>;
  /** Uses a PostgreSQL server instead of an embedded database. */
  readonly databaseUrl?: string;
  /** `null` starts without speech recognition: everything that needs it fails. */
  readonly transcriber?: Transcriber | null;
  readonly recognizer?: () => Promise<Recognizer>;
  readonly maxAudioSeconds?: number;
  /** The stand-in replaces the public platform: that platform's URLs are fetched from the stand-in. */
  readonly asPublicPlatform?: true;
  /** Public platforms whose URLs are accepted; by default, the platform that the stand-in imitates. */
  readonly platforms?: readonly Platform[];
  /** The program that fetches reels of platforms without a source of their own. */
  readonly ytDlp?: string;
  readonly fetchLimits?: Partial<FetchLimits>;
  /** The time between two requests to the platform; without it they aren't paced. */
  readonly platformIntervalSeconds?: number;
  /** Makes subtitled videos; without it, none are made. */
  readonly videoRenderer?: VideoRenderer;
  /** Storage for pictures; without it, the database. */
  readonly objects?: Objects;
  /** Fetches images from other sites, which no test reaches; without it, fetching fails. */
  readonly imageAt?: ImageSource["fetch"];
  /** Probes links to other sites; without it, results are unknown. */
  readonly probeLink?: ProbeLink;
  /** Documents of programs; none by default. */
  readonly fetchDocument?: FetchDocument;
  /** Sends mail; none by default. */
  readonly mailer?: Mailer;
  /** Sends webhooks; by default to receivers on this machine. */
  readonly webhookSender?: WebhookSender;
  readonly telemetry?: Telemetry;
  /** The machine's clock by default. */
  readonly clock?: TestClock;
  /** Wraps the database's rate limits, which a call uses after it was admitted. */
  readonly rateLimitsOf?: (rateLimits: RateLimits) => RateLimits;
  /** Wraps the reading of scripts. */
  readonly scriptsOf?: (scripts: Scripts) => Scripts;
  /** The periodic tasks of the whole service that this process does; another process seems to hold the leases of the rest. */
  readonly repeated?: readonly string[];
  /** People pay at a stand-in of Stripe, which posts its events to the service unless `post` receives them. */
  readonly stripe?: { readonly post?: (event: string) => void };
}

/** The service for the surrounding tests, started before the first and closed after the last. */
export function serviceOfTests(options: TestServiceOptions | (() => TestServiceOptions) = {}): TestService {
  const service = {} as TestService; // safe: nobody has it before it is filled
  let close = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const started = await startTestService(typeof options === "function" ? options() : options);
    close = () => started.close();
    Object.assign(service, started);
  });
  afterAll(() => close());
  return service;
}

/** A service for the running test. */
export async function serviceOfTest(options?: TestServiceOptions): Promise<TestService> {
  const service = await startTestService(options);
  onTestFinished(() => service.close());
  return service;
}

/** The whole service on a free port, with its own database, the platform's stand-in and the real recognizer. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const directory = await mkdtemp(path.join(temporaryPlace, "reelscript-test-"));
  const closers: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const clock = options.clock ?? createTestClock();
  const faults: TestService["faults"] = [];
  const onFault = (error: unknown, where: string): void => void faults.push({ error, where });

  const { databaseUrl, objects } = options;
  const storeOptions = { newId: createNewId(), objects };
  const [store, standin] = await Promise.all([
    databaseUrl === undefined
      ? openTestStore(storeOptions)
      : openStore({ ...storeOptions, databaseUrl, dataDirectory: directory }),
    startPlatformStandin(),
  ]);
  closers.push(
    () => standin.close(),
    () => store.close(),
  );
  const standinOnly = [
    options.asPublicPlatform
      ? { ...standinPlatform(standin), name: instagram.name, links: instagram.links }
      : standinPlatform(standin),
  ];
  let transcriber = options.transcriber;
  if (transcriber === undefined) {
    const opened = await openTestTranscriber({
      recognizer: options.recognizer,
      maxSeconds: options.maxAudioSeconds ?? 900,
      limits: {
        translated: translatedLanguages,
        unread: unreadLanguages(options.languageQuality ?? embeddedModelQuality),
        onUnread: () => undefined,
      },
    });
    closers.push(opened.close);
    transcriber = opened.transcriber;
  }
  const recognizer = transcriber ?? { model: "none", revision: 1 };
  const settings: ServiceSettings = {
    host: "127.0.0.1",
    port: 0,
    baseUrl: undefined,
    trustProxy: false,
    role: transcriber === null ? "api" : "all",
    quotaScope: "key",
    callLimits: { atATime: 2, waiting: 60 },
    platformLimit: 300,
    messageLimit: 600,
    followingLimit: 7_200,
    sessionRateLimits: { default: 6_000, transcribe: 120, bioWrite: 1_000 },
    signIn: { kind: "development" },
    invitesPeople: options.signIn?.kind === "password",
    signInLimit: 1_000,
    programLimit: 120,
    queueLimit: 50,
    queueLimitPerAccount: 20,
    slots: 1,
    // Most tests are about what happens afterward.
    outageSeconds: 0,
    workDirectory: directory,
    maxMediaBytes: 50_000_000,
    maxAudioSeconds: 900,
    maxFileBytes: 50_000_000,
    maxFileSeconds: 3_600,
    sentBytesPerHour: 1_000_000_000,
    sampleReelUrl: standin.urlOf(sampleCode),
    videoOrigins: [standin.origin, standin.mediaOrigin],
    languageQuality: embeddedModelQuality,
    languageErrors: embeddedModelErrors,
    translatedLanguages: transcriber?.translator?.languages ?? [],
    ...options,
    // Tests on slow machines poll more often. Tests of the limit on all calls set one.
    rateLimits: { default: 1_000_000, transcribe: 10, bioWrite: 20, address: 600, ...options.rateLimits },
    recognizer,
  };
  const stripe =
    options.stripe && createStripeStandin({ clock, serviceUrl: () => service.url ?? "", post: options.stripe.post });
  const onNotice = (): void => undefined;
  const { platforms = [instagram], ytDlp } = options;
  const ports = await joinPorts({
    platforms: options.asPublicPlatform ? standinOnly : [...platforms, ...standinOnly],
    // URLs of the public platform are accepted, but no test reaches it.
    fetched: [...platforms.filter((platform) => platform.createWays(clock).length === 0), ...standinOnly],
    sources: {
      order: ytDlp === undefined ? ["platform"] : ["platform", "ytdlp"],
      ytdlp: { path: ytDlp },
      maxBytes: settings.maxMediaBytes,
      limits: options.fetchLimits,
    },
    exits: () => ({
      pace: { turns: store.platformPace, intervalSeconds: options.platformIntervalSeconds ?? 0 },
    }),
    transcriber: transcriber ?? undefined,
    videoRenderer: options.videoRenderer,
    stripe,
    localBiller: createLocalBiller({ file: path.join(directory, "local-biller.json"), clock, onFault }),
    operatorSetsPlans: stripe === undefined && settings.signIn.kind === "password",
    mailer: options.mailer,
    isDevelopment: true,
    // Pictures are drawn with low priority, so they may take long on a busy machine.
    drawSeconds: 3_600,
    clock,
    onNotice,
  });
  const service = await startService(
    settings,
    {
      ...ports,
      store: {
        ...store,
        taskLeases: leasesOf(store, options.repeated ?? []),
        scripts: options.scriptsOf?.(store.scripts) ?? store.scripts,
        rateLimits: options.rateLimitsOf?.(store.rateLimits) ?? store.rateLimits,
      },
      images: { ...ports.images, fetch: options.imageAt ?? noImage },
      fetchDocument: options.fetchDocument ?? ports.fetchDocument,
      probeLink: options.probeLink ?? (async () => "unknown"),
      webhookSender: options.webhookSender ?? ports.webhookSender,
    },
    { onFault, onNotice },
    options.telemetry,
  );
  closers.push(() => service.stop());

  const createKey = async (accountId: string) => {
    const { key, hash, lastFour } = createApiKey();
    const newKey = await store.keys.create({ accountId, name: "test", hash, lastFour, now: clock.now() });
    if (typeof newKey === "string") throw new Error(`no key: ${newKey}`);
    return { key, keyId: newKey.id };
  };
  return {
    url: service.url ?? "",
    directory,
    store,
    clock,
    standin,
    biller: ports.biller!, // safe: it has one of the two
    stripe,
    faults,
    newReel: (reel) => standin.urlOf(standin.addReel({ bytes: Buffer.from("not looked at"), ...reel }).code),
    updateRecognizer: () => void Object.assign(recognizer, { revision: recognizer.revision + 1 }),
    async createCaller({ plan = "free" } = {}) {
      const { id: accountId } = await store.accounts.create({ email: "somebody@example.com", plan, now: clock.now() });
      return { accountId, ...(await createKey(accountId)), createKey: () => createKey(accountId) };
    },
    async close() {
      for (const close of closers.toReversed()) await close();
      expect(faults.map(({ error, where }) => `${where}: ${String(error)}`)).toEqual([]);
    },
  };
}

const noImage: ImageSource["fetch"] = async () => {
  throw new ServiceError("invalidRequest", "there is no image at this address.");
};

const leasesOf = ({ taskLeases }: OpenedStore, repeated: readonly string[]): OpenedStore["taskLeases"] => ({
  ...taskLeases,
  take: async (task, ...parameters) => repeated.includes(task) && taskLeases.take(task, ...parameters),
});
