import { languageSentence } from "@reelscript/contract";
import type { FastifyInstance } from "fastify";
import { guidesDirectory, loadGuides } from "./adapters/guides/load-guides.ts";
import { createAuthenticateExtension, createAuthenticate } from "./callers/authenticate.ts";
import { createWatchCallers } from "./callers/watch-callers.ts";
import {
  batchNeedsOf,
  fileNeedsOf,
  videoNeedsOf,
  createHandlers,
  createSharedParts,
  type GivenParts,
  type HandlerParts,
} from "./create-handlers.ts";
import { receiveEvent } from "./features/billing/refresh-subscription.ts";
import { createCountBioVisits } from "./features/bio/visits/count-bio-visits.ts";
import { followBioLink } from "./features/bio/follow-bio-link.ts";
import { uploadBioImage } from "./features/bio/host-images.ts";
import { previewBioPage } from "./features/bio/preview-bio-page.ts";
import { createShowBioPage } from "./features/bio/show-bio-page.ts";
import { createShowSitemap } from "./features/bio/show-sitemap.ts";
import { createShowShareCard } from "./features/bio/show-share-card.ts";
import type { ShareCard } from "./bio-page/share-card.ts";
import { createReceiveFiles } from "./features/files/receive-file.ts";
import { readKeptFile } from "./features/files/read-kept-file.ts";
import { transcribeFiles } from "./features/files/transcribe-files.ts";
import { readVideo } from "./features/files/read-video.ts";
import { beginVideosOfFiles } from "./features/videos/begin-videos-of-files.ts";
import { openScriptExport } from "./features/library/export-scripts.ts";
import { createShowScriptCard, openReportLink, openShareLink } from "./features/share-links.ts";
import { previewReel } from "./features/transcription/preview-reel.ts";
import { createUsualSeconds } from "./features/transcription/following/usual-seconds.ts";
import { repeatsOfCreateBatch, repeatsOfTranscribeReel } from "./features/transcription/following/repeats.ts";
import { createBodies } from "./http/bodies.ts";
import { showContentType } from "./http/read-request.ts";
import { createHttp } from "./http/create-http.ts";
import { llmsText, webhooksGuideSlug } from "./http/documents/llms-text.ts";
import { securityText } from "./http/documents/well-known-texts.ts";
import { createMcp } from "./mcp/create-mcp.ts";
import { registryEntry } from "./mcp/build-server.ts";
import { createRequestLog } from "./periodic/request-log.ts";
import { advanceBatches } from "./features/transcription/batch/advance-batches.ts";
import { locateShareLinks } from "./features/transcription/batch/locate-share-links.ts";
import { reconcileBilling } from "./periodic/tasks.ts";
import type { PeriodicTask } from "./ports.ts";
import { type CountRefused, createCountCalls, createCountRefused } from "./rules/count-calls.ts";
import { createIdempotency } from "./run/idempotency.ts";
import { createPlaces } from "./run/admission.ts";
import { createRun, type AnsweredCall, type Run } from "./run/run.ts";
import { isLoopback } from "./settings/is-loopback.ts";
import type { ServiceSettings } from "./settings/service-settings.ts";
import { mcpAddress } from "./sign-in/oauth/authorization-server.ts";
import { createSignIn, type SignIn } from "./sign-in/create-sign-in.ts";
import { createLongWork } from "./threads/create-long-work.ts";
import { observeAnswer, observeHandlers, observeSignIn } from "./telemetry/observe-calls.ts";
import { observeRequests } from "./telemetry/observe-requests.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

export interface DoorParts extends Omit<GivenParts, "longWork" | "guides"> {
  /** Aborted with the error that waiting callers get when the service stops. */
  readonly closing: AbortSignal;
  readonly draining: AbortSignal;
  /** Throws a `ServiceError` if calls should go elsewhere. */
  readonly checkReady: () => Promise<void>;
  readonly telemetry: Telemetry | undefined;
}

interface Doors {
  readonly http: FastifyInstance;
  /** Periodic tasks of the doors. */
  readonly tasks: readonly PeriodicTask[];
  /** Accepts no new connections, finishes running requests, and saves what is still in memory. */
  stop(): Promise<void>;
}

/** All doors for callers: REST, MCP, sign-in and the dashboard, on one HTTP server that doesn't listen yet. */
export async function createDoors(doorParts: DoorParts): Promise<Doors> {
  const { settings, ports, baseUrl, listener, closing } = doorParts;
  const { store, clock } = ports;
  const { billing, bioEvents, keys, keyRequests, rateLimits, sessions } = store;
  const longWork = createLongWork();
  const given = { ...doorParts, longWork: longWork.do, guides: await loadGuides(guidesDirectory) };
  const parts = { ...given, ...createSharedParts(given) };
  const onFault = (where: string) => (error: unknown) => listener.onFault(error, where);
  const requestLog = createRequestLog({ keyRequests, onFault: onFault("request log") });
  const bioVisits = createCountBioVisits({ bioEvents, clock, onFault: onFault("counting visits of bio pages") });
  const countRefused = createCountRefused({ rateLimits, clock, limit: settings.rateLimits.address });
  const run = createRunOf(parts, countRefused, requestLog.note);
  const signIn = openSignIn(parts);
  const http = createHttp({
    ...pagesOf(parts),
    thumbnails: store.thumbnails,
    bioPages: store.bioPages,
    bioImages: store.bioImages,
    clock,
    baseUrl,
    languageQuality: settings.languageQuality,
    checkReady: parts.checkReady,
    closing,
    localCheckout: ports.localCheckout,
    videoOrigins: settings.videoOrigins,
    countryHeader: settings.countryHeader,
    trustProxy: settings.trustProxy,
    bodies: createBodies({ bodySeconds: settings.bodySeconds, stallSeconds: settings.stallSeconds }),
    corsOrigins: settings.corsOrigins,
    run,
    authenticate: createAuthenticate({ keys, clock, countRefused }),
    authenticatePerson: signIn.authenticatePerson,
    authenticateExtension: createAuthenticateExtension({ sessions, clock, countRefused }),
    watchCaller: createWatchCallers({ keys, sessions, clock }),
    noteBioVisit: bioVisits.note,
    onFault: listener.onFault,
    observe: (app) => observe(app, parts),
  });
  signIn.serve(http);
  serveMcp(http, parts, run, countRefused);
  const reconciliation = reconcileBilling({
    billing,
    refreshSubscription: parts.refreshSubscription,
    onFault: onFault("reading subscriptions again"),
  });
  return {
    http,
    tasks: [
      requestLog.task,
      bioVisits.task,
      reconciliation,
      advanceBatches(batchNeedsOf(parts)),
      transcribeFiles(fileNeedsOf(parts)),
      beginVideosOfFiles(videoNeedsOf(parts)),
      locateShareLinks({ askPlatform: parts.askPlatform, batches: store.batches, clock }),
    ],
    async stop() {
      await http.close();
      await requestLog.write();
      await bioVisits.write();
      await longWork.close();
    },
  };
}

/** The parts of a door, and those that its handlers share. */
type JoinedParts = DoorParts & HandlerParts;

function openSignIn({ settings, ports, baseUrl, listener, telemetry }: JoinedParts): SignIn {
  const { store, fetchDocument, clock } = ports;
  return createSignIn({
    oauthArtifacts: store.oauthArtifacts,
    keys: store.keys,
    rateLimits: store.rateLimits,
    identities: store.identities,
    signInAttempts: store.signInAttempts,
    passwords: store.passwords,
    mailer: ports.mailer,
    sessions: store.sessions,
    fetchDocument,
    clock,
    baseUrl,
    onFault: listener.onFault,
    onNotice: listener.onNotice,
    settings: settings.signIn,
    limit: settings.signInLimit,
    programLimit: settings.programLimit,
    ownHosts: [settings.host],
    direct: settings.baseUrl === undefined || isLoopback(settings.baseUrl),
    showContentType,
    onSignIn: telemetry ? observeSignIn(telemetry) : () => undefined,
  });
}

function serveMcp(
  http: FastifyInstance,
  { settings, ports, closing, baseUrl, listener }: JoinedParts,
  run: Run,
  countRefused: CountRefused,
): void {
  const { store, clock } = ports;
  const { keys, rateLimits } = store;
  const limit = settings.messageLimit;
  const mcp = createMcp({
    run,
    countMessage: createCountCalls({ rateLimits, clock, kind: "messages", calls: "MCP messages", limit }),
    authenticate: createAuthenticate({ keys, clock, countRefused, audience: () => mcpAddress(baseUrl()) }),
    resourceMetadata: () => `${baseUrl()}/.well-known/oauth-protected-resource/mcp`,
    baseUrl,
    hostnames: hostnamesOf(settings),
    origins: settings.corsOrigins,
    languageSentence: languageSentence(settings.languageQuality),
    closing,
    ...listener,
  });
  http.all("/mcp", async (request, reply) => {
    closing.throwIfAborted();
    reply.hijack();
    showContentType(request.raw);
    reply.raw.setHeader("x-request-id", request.id).setHeader("cache-control", "no-store");
    await mcp.handle(request.raw, reply.raw, request.ip);
  });
  http.get("/server.json", async () => registryEntry(baseUrl()));
  // Happens before the server waits for its connections, because streams would never end.
  http.addHook("onClose", () => mcp.close());
}

function createRunOf(parts: JoinedParts, countRefused: CountRefused, noteRequest: (call: AnsweredCall) => void): Run {
  const { settings, ports, listener, longWork, telemetry } = parts;
  const { store, clock } = ports;
  const { rateLimits, idempotentAnswers } = store;
  const handlers = createHandlers(parts);
  const noteAnswer = telemetry && observeAnswer(telemetry);
  return createRun({
    handlers: telemetry ? observeHandlers(handlers, telemetry) : handlers,
    repeats: {
      transcribeReel: repeatsOfTranscribeReel({
        store,
        rateLimits,
        locator: ports.locator,
        clock,
        quotaScope: settings.quotaScope,
        usualSeconds: createUsualSeconds({ transcriptions: store.transcriptions, clock }),
      }),
      createBatch: repeatsOfCreateBatch({ batches: store.batches, rateLimits, locator: ports.locator, clock }),
    },
    rateLimits,
    limits: settings.rateLimits,
    sessionLimits: settings.sessionRateLimits,
    places: createPlaces(settings.callLimits),
    countRefused,
    isOperator: parts.isOperator,
    countFollowing: createCountCalls({
      rateLimits,
      clock,
      kind: "following",
      calls: "requests that follow your transcriptions",
      limit: settings.followingLimit,
    }),
    idempotency: createIdempotency({
      idempotentAnswers,
      clock,
      onFault: (error) => listener.onFault(error, "idempotent answers"),
    }),
    longWork,
    clock,
    onFault: listener.onFault,
    onAnswered(call) {
      noteRequest(call);
      noteAnswer?.(call);
    },
  });
}

/** Public pages, and the pages for people that aren't operations. */
function pagesOf(parts: JoinedParts) {
  const { settings, ports, baseUrl, listener, longWork, guides, exportLine, refreshSubscription } = parts;
  const { store, biller, locator, images, clock } = ports;
  const { accounts, billing, moderation, rateLimits, reportLinks, scriptExports, scripts, shareLinks } = store;
  const { transcriptions, translations } = store;
  const { quotaScope, languageQuality, rateLimits: limits } = settings;
  const { onNotice } = listener;
  return {
    ...bioPagesOf(parts),
    receiveEvent: receiveEvent({ billing, biller, refreshSubscription, clock, onNotice }),
    uploadBioImage: uploadBioImage({ bioImages: store.bioImages, images, clock, baseUrl }),
    openShareLink: openShareLink({ shareLinks, rateLimits, limits, clock }),
    openScriptExport: openScriptExport({
      accounts,
      scripts,
      translations,
      scriptExports,
      longWork,
      exportLine,
      rateLimits,
      limits,
      clock,
    }),
    openReportLink: openReportLink({ reportLinks, moderation, locator, rateLimits, limits, clock }),
    showScriptCard: createShowScriptCard(async (card) => {
      const { drawScriptCard } = await import("./adapters/pictures/draw-script-card.ts");
      return drawScriptCard(card);
    }),
    receiveFiles: createReceiveFiles({ ...fileNeedsOf(parts), sentBytesPerHour: settings.sentBytesPerHour }),
    readKeptFile: readKeptFile({ files: store.files }),
    readVideo: readVideo({ videos: store.videos }),
    countUploads: createCountCalls({
      rateLimits,
      clock,
      kind: "uploads",
      calls: "requests to uploads",
      limit: settings.followingLimit,
    }),
    previewReel: previewReel({ locator, transcriptions, rateLimits, limits, clock }),
    operator: settings.operator ?? {},
    webhooksGuide: guides.find(({ slug }) => slug === webhooksGuideSlug)?.bodyMarkdown ?? "",
    llmsText: () => llmsText({ guides, limits, quotaScope, languageQuality, baseUrl: baseUrl() }),
    securityText: () => securityText({ contact: settings.securityContact, baseUrl: baseUrl(), now: clock.now() }),
  };
}

function bioPagesOf({ settings, ports, closing, baseUrl }: JoinedParts) {
  const { store, clock } = ports;
  const { bioPages, publicBioPages, listedBioPages, bioImages } = store;
  const { abuseContact } = settings;
  return {
    previewBioPage: previewBioPage({ bioPages, clock, baseUrl, abuseContact }),
    showBioPage: createShowBioPage({
      publicBioPages,
      clock,
      baseUrl,
      abuseContact,
      onChange: (listener) => closing.addEventListener("abort", store.subscribe("bioPages", listener)),
    }),
    showSitemap: createShowSitemap({ listedBioPages, clock, baseUrl }),
    showShareCard: createShowShareCard({ publicBioPages, bioImages, clock, draw: drawCard }),
    followBioLink: followBioLink({ publicBioPages, clock }),
  };
}

/** The drawing library is large, and other processes draw everything else. */
async function drawCard(card: ShareCard, portrait: Uint8Array | undefined): Promise<Uint8Array> {
  const { drawShareCard } = await import("./adapters/pictures/draw-share-card.ts");
  return drawShareCard(card, portrait);
}

function observe(app: FastifyInstance, { telemetry, draining }: DoorParts): void {
  if (telemetry) observeRequests(app, telemetry);
  app.addHook("onRequest", (_request, reply, done) => {
    // A kept connection could be reused at the very moment when it is closed.
    if (draining.aborted) reply.raw.shouldKeepAlive = false;
    done();
  });
}

function hostnamesOf({ host, baseUrl }: ServiceSettings): string[] {
  const names = ["localhost", "127.0.0.1", "[::1]", host];
  if (baseUrl !== undefined) names.push(new URL(baseUrl).hostname);
  return [...new Set(names)];
}
