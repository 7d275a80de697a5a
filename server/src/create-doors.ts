import { languageCodes, languageWarning } from "@reelscript/contract";
import type { FastifyInstance } from "fastify";
import { guidesDirectory, loadGuides } from "./adapters/guides/load-guides.ts";
import { drawShareCard } from "./adapters/pictures/draw-share-card.ts";
import { createAuthenticateExtension, createAuthenticate } from "./callers/authenticate.ts";
import { createCountRefused } from "./callers/refused-calls.ts";
import { createWatchCallers } from "./callers/watch-callers.ts";
import { createIsRepeat } from "./run/repeats.ts";
import { findAwaitedReel } from "./features/transcription/get-transcription.ts";
import { createHandlers } from "./create-handlers.ts";
import { type RefreshSubscription, receiveEvent } from "./features/billing/refresh-subscription.ts";
import { createCountBioVisits, type CountBioVisits } from "./features/bio/visits/count-bio-visits.ts";
import { followBioLink } from "./features/bio/follow-bio-link.ts";
import { uploadBioImage } from "./features/bio/host-images.ts";
import { previewBioPage } from "./features/bio/preview-bio-page.ts";
import { createShowBioPage } from "./features/bio/show-bio-page.ts";
import { createShowSitemap } from "./features/bio/show-sitemap.ts";
import { createShowShareCard } from "./features/bio/show-share-card.ts";
import { openShareLink } from "./features/library/share-links.ts";
import { showContentType } from "./http/content-type.ts";
import { createHttp } from "./http/create-http.ts";
import { llmsText, webhooksGuideSlug } from "./http/documents/llms-text.ts";
import { securityText } from "./http/documents/well-known-texts.ts";
import { createMcp } from "./mcp/create-mcp.ts";
import { registryEntry } from "./mcp/server-info.ts";
import { createRequestLog, type RequestLog } from "./periodic/request-log.ts";
import type { Biller, PeriodicTask, StoredGuide } from "./ports.ts";
import { createIdempotency } from "./run/idempotency.ts";
import { createRun, type Run } from "./run/run.ts";
import { isLoopback } from "./settings/is-loopback.ts";
import type { FaultListener, Ports, ServiceSettings } from "./settings/service-settings.ts";
import { mcpAddress } from "./sign-in/oauth/authorization-server.ts";
import { createSignIn } from "./sign-in/create-sign-in.ts";
import { observeAnswer, observeHandlers } from "./telemetry/observe-calls.ts";
import { observeRequests } from "./telemetry/observe-requests.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

export interface DoorParts {
  readonly settings: ServiceSettings;
  readonly ports: Ports & { readonly biller: Biller };
  readonly refreshSubscription: RefreshSubscription;
  /** The address that users see; called when it is needed, because the port may be known only after listening. */
  readonly baseUrl: () => string;
  /** Aborted with the error that waiting callers get when the service goes down. */
  readonly closing: AbortSignal;
  readonly draining: AbortSignal;
  /** Throws a `ServiceError` when calls should go elsewhere. */
  readonly checkReady: () => Promise<void>;
  readonly listener: FaultListener;
  readonly telemetry: Telemetry | undefined;
}

interface Doors {
  readonly http: FastifyInstance;
  /** What the doors want repeated. */
  readonly tasks: readonly PeriodicTask[];
}

/** Everything through which callers come in: REST, MCP, sign-in and the dashboard, on one HTTP server that doesn't listen yet. */
export async function createDoors(parts: DoorParts): Promise<Doors> {
  const { settings, ports, closing, baseUrl, listener } = parts;
  const { store, clock } = ports;
  const guides = await loadGuides(guidesDirectory);
  const requestLog = createRequestLog({
    keyRequests: store.keyRequests,
    onFault: (error) => listener.onFault(error, "request log"),
  });
  const countRefused = createCountRefused({
    rateLimits: store.rateLimits,
    limit: settings.rateLimits.address,
    clock,
  });
  const recognize = { keys: store.keys, clock, countRefused };
  const authenticate = createAuthenticate(recognize);
  const run = createRunOf(parts, { guides, requestLog, countRefused });
  const signIn = createSignIn({
    ...store,
    fetchDocument: ports.fetchDocument,
    settings: settings.signIn,
    limit: settings.signInLimit,
    clock,
    baseUrl,
    direct: settings.baseUrl === undefined || isLoopback(settings.baseUrl),
    showContentType,
    ...listener,
  });
  const { authenticatePerson } = signIn;
  const authenticateExtension = createAuthenticateExtension({ sessions: store.sessions, clock, countRefused });
  const bioVisits = createCountBioVisits({
    bioEvents: store.bioEvents,
    clock,
    onFault: (error) => listener.onFault(error, "counting visits of bio pages"),
  });
  const http = createHttpOf(parts, { run, authenticate, authenticatePerson, authenticateExtension, guides, bioVisits });
  signIn.serve(http);
  const mcp = createMcp({
    run,
    authenticate: createAuthenticate({ ...recognize, audience: () => mcpAddress(baseUrl()) }),
    resourceMetadata: () => `${baseUrl()}/.well-known/oauth-protected-resource/mcp`,
    baseUrl,
    hostnames: hostnamesOf(settings),
    origins: settings.corsOrigins,
    languageWarning: languageWarning(languageCodes.map((code) => ({ code, quality: settings.languageQuality[code] }))),
    closing,
    ...listener,
  });
  http.all("/mcp", async (request, reply) => {
    reply.hijack();
    showContentType(request.raw);
    reply.raw.setHeader("x-request-id", request.id).setHeader("cache-control", "no-store");
    await mcp.handle(request.raw, reply.raw, request.ip);
  });
  http.get("/server.json", async () => registryEntry(baseUrl()));
  http.addHook("onClose", async () => {
    await mcp.close();
    await requestLog.write();
    await bioVisits.write();
  });
  return { http, tasks: [requestLog.task, bioVisits.task] };
}

function createRunOf(
  parts: DoorParts,
  {
    guides,
    requestLog,
    countRefused,
  }: {
    readonly guides: readonly StoredGuide[];
    readonly requestLog: RequestLog;
    readonly countRefused: ReturnType<typeof createCountRefused>;
  },
): Run {
  const { settings, listener, telemetry } = parts;
  const { store, clock } = parts.ports;
  const handlers = createHandlers({ ...parts, guides });
  const noteAnswer = telemetry && observeAnswer(telemetry);
  return createRun({
    handlers: telemetry ? observeHandlers(handlers, telemetry) : handlers,
    rateLimits: store.rateLimits,
    limits: settings.rateLimits,
    sessionLimits: settings.sessionRateLimits,
    idempotency: createIdempotency({
      answers: store.idempotentAnswers,
      clock,
      onFault: (error) => listener.onFault(error, "idempotent answers"),
    }),
    countRefused,
    isRepeat: createIsRepeat({ findAwaited: findAwaitedReel(parts.ports), rateLimits: store.rateLimits, clock }),
    clock,
    onAnswered(call) {
      requestLog.note(call);
      noteAnswer?.(call);
    },
    ...listener,
  });
}

function createHttpOf(
  { settings, ports, refreshSubscription, baseUrl, closing, draining, checkReady, listener, telemetry }: DoorParts,
  {
    guides,
    bioVisits,
    ...callers
  }: Pick<Parameters<typeof createHttp>[0], "run" | "authenticate" | "authenticatePerson" | "authenticateExtension"> & {
    readonly guides: readonly StoredGuide[];
    readonly bioVisits: CountBioVisits;
  },
): FastifyInstance {
  const { store, biller, clock } = ports;
  const { rateLimits: limits, quotaScope, languageQuality, securityContact, abuseContact } = settings;
  return createHttp({
    ...callers,
    watchCaller: createWatchCallers({ ...store, clock }),
    receiveEvent: receiveEvent({ billing: store.billing, biller, refreshSubscription, clock, ...listener }),
    developmentBiller: ports.developmentBiller,
    previewBioPage: previewBioPage({ bioPages: store.bioPages, clock, baseUrl, abuseContact }),
    showBioPage: createShowBioPage({
      publicBioPages: store.publicBioPages,
      onChange: (listener) => closing.addEventListener("abort", store.subscribe("bioPages", listener)),
      clock,
      baseUrl,
      abuseContact,
    }),
    showSitemap: createShowSitemap({ listedBioPages: store.listedBioPages, clock, baseUrl }),
    showShareCard: createShowShareCard({ publicBioPages: store.publicBioPages, clock, draw: drawShareCard }),
    uploadBioImage: uploadBioImage({ bioImages: store.bioImages, images: ports.images, clock, baseUrl }),
    bioImages: store.bioImages,
    followBioLink: followBioLink({ publicBioPages: store.publicBioPages, clock }),
    openShareLink: openShareLink({ ...store, limit: settings.rateLimits.address, clock }),
    noteBioVisit: bioVisits.note,
    ownsBioPage: async (accountId, bioId) => (await store.bioPages.read(accountId)).id === bioId,
    countryHeader: settings.countryHeader,
    clock,
    thumbnails: store.thumbnails,
    baseUrl,
    webhooksGuide: guides.find(({ slug }) => slug === webhooksGuideSlug)?.bodyMarkdown ?? "",
    llmsText: () => llmsText({ baseUrl: baseUrl(), guides, limits, quotaScope, languageQuality }),
    trustProxy: settings.trustProxy,
    bodySeconds: settings.bodySeconds,
    stallSeconds: settings.stallSeconds,
    corsOrigins: settings.corsOrigins,
    videoOrigins: settings.videoOrigins,
    operator: settings.operator ?? {},
    securityText: () => securityText({ contact: securityContact, baseUrl: baseUrl(), now: clock.now() }),
    closing,
    checkReady,
    observe(app) {
      if (telemetry) observeRequests(app, telemetry);
      app.addHook("onRequest", (_request, reply, done) => {
        // A connection that is kept could be used again at the very moment in which it is closed.
        if (draining.aborted) reply.raw.shouldKeepAlive = false;
        done();
      });
    },
    ...listener,
  });
}

function hostnamesOf({ host, baseUrl }: ServiceSettings): string[] {
  const names = ["localhost", "127.0.0.1", "[::1]", host];
  if (baseUrl !== undefined) names.push(new URL(baseUrl).hostname);
  return [...new Set(names)];
}
