import { languageSentence } from "@reelscript/contract";
import type { FastifyInstance } from "fastify";
import { guidesDirectory, loadGuides } from "./adapters/guides/load-guides.ts";
import { createAuthenticateExtension, createAuthenticate } from "./callers/authenticate.ts";
import { type CountRefused, createCountCalls, createCountRefused } from "./callers/count-calls.ts";
import { createWatchCallers } from "./callers/watch-callers.ts";
import { createHandlers, gatherNeeds, type GatheredNeeds, type GivenParts } from "./create-handlers.ts";
import { receiveEvent } from "./features/billing/refresh-subscription.ts";
import { createCountBioVisits } from "./features/bio/visits/count-bio-visits.ts";
import { followBioLink } from "./features/bio/follow-bio-link.ts";
import { uploadBioImage } from "./features/bio/host-images.ts";
import { previewBioPage } from "./features/bio/preview-bio-page.ts";
import { createShowBioPage } from "./features/bio/show-bio-page.ts";
import { createShowSitemap } from "./features/bio/show-sitemap.ts";
import { createShowShareCard } from "./features/bio/show-share-card.ts";
import type { ShareCard } from "./bio-page/share-card.ts";
import { openScriptExport } from "./features/library/export-scripts.ts";
import { createShowScriptCard, openReportLink, openShareLink } from "./features/share-links.ts";
import { previewReel } from "./features/transcription/preview-reel.ts";
import { repeatsOfTranscribeReel } from "./features/transcription/following/repeats.ts";
import { createBodies } from "./http/bodies/bodies.ts";
import { showContentType } from "./http/content-type.ts";
import { createHttp } from "./http/create-http.ts";
import { llmsText, webhooksGuideSlug } from "./http/documents/llms-text.ts";
import { securityText } from "./http/documents/well-known-texts.ts";
import { createMcp } from "./mcp/create-mcp.ts";
import { registryEntry } from "./mcp/server-info.ts";
import { createRequestLog } from "./periodic/request-log.ts";
import { advanceBatches } from "./features/transcription/batch/advance-batches.ts";
import { reconcileBilling } from "./periodic/tasks.ts";
import type { PeriodicTask } from "./ports.ts";
import { createIdempotency } from "./run/idempotency.ts";
import { createPlaces } from "./run/places.ts";
import { createRun, type AnsweredCall, type Run } from "./run/run.ts";
import { isLoopback } from "./settings/is-loopback.ts";
import type { ServiceSettings } from "./settings/service-settings.ts";
import { mcpAddress } from "./sign-in/oauth/authorization-server.ts";
import { createSignIn } from "./sign-in/create-sign-in.ts";
import { createLongWork } from "./threads/create-long-work.ts";
import { observeAnswer, observeHandlers, observeSignIn } from "./telemetry/observe-calls.ts";
import { observeRequests } from "./telemetry/observe-requests.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

export interface DoorParts extends Omit<GivenParts, "longWork"> {
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
export async function createDoors(parts: DoorParts): Promise<Doors> {
  const { settings, closing, baseUrl, listener } = parts;
  const longWork = createLongWork();
  const needs = gatherNeeds({ ...parts, longWork: longWork.do }, await loadGuides(guidesDirectory));
  const onFault = (where: string) => (error: unknown) => listener.onFault(error, where);
  const requestLog = createRequestLog({ ...needs, onFault: onFault("request log") });
  const bioVisits = createCountBioVisits({ ...needs, onFault: onFault("counting visits of bio pages") });
  const recognize = { ...needs, countRefused: createCountRefused({ ...needs, limit: needs.limits.address }) };
  const run = createRunOf(parts, recognize, requestLog.note);
  const signIn = createSignIn({
    ...needs,
    settings: settings.signIn,
    limit: settings.signInLimit,
    programLimit: settings.programLimit,
    ownHosts: [settings.host],
    direct: settings.baseUrl === undefined || isLoopback(settings.baseUrl),
    showContentType,
    onSignIn: parts.telemetry ? observeSignIn(parts.telemetry) : () => undefined,
  });
  const http = createHttp({
    ...needs,
    checkReady: parts.checkReady,
    closing,
    localCheckout: parts.ports.localCheckout,
    videoOrigins: settings.videoOrigins,
    countryHeader: settings.countryHeader,
    trustProxy: settings.trustProxy,
    bodies: createBodies({ bodySeconds: settings.bodySeconds, stallSeconds: settings.stallSeconds }),
    corsOrigins: settings.corsOrigins,
    run,
    authenticate: createAuthenticate(recognize),
    authenticatePerson: signIn.authenticatePerson,
    authenticateExtension: createAuthenticateExtension(recognize),
    watchCaller: createWatchCallers(needs),
    ...pagesOf(parts, needs),
    noteBioVisit: bioVisits.note,
    observe: (app) => observe(app, parts),
  });
  signIn.serve(http);
  const mcp = createMcp({
    run,
    countMessage: createCountCalls({ ...needs, kind: "messages", calls: "MCP messages", limit: settings.messageLimit }),
    authenticate: createAuthenticate({ ...recognize, audience: () => mcpAddress(baseUrl()) }),
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
  const reconciliation = reconcileBilling({ ...needs, onFault: onFault("reading subscriptions again") });
  return {
    http,
    tasks: [requestLog.task, bioVisits.task, reconciliation, advanceBatches(needs)],
    async stop() {
      await http.close();
      await requestLog.write();
      await bioVisits.write();
      await longWork.close();
    },
  };
}

function createRunOf(
  { settings, listener, telemetry }: DoorParts,
  needs: GatheredNeeds & { readonly countRefused: CountRefused },
  noteRequest: (call: AnsweredCall) => void,
): Run {
  const handlers = createHandlers(needs);
  const noteAnswer = telemetry && observeAnswer(telemetry);
  return createRun({
    ...needs,
    handlers: telemetry ? observeHandlers(handlers, telemetry) : handlers,
    repeats: { transcribeReel: repeatsOfTranscribeReel(needs) },
    sessionLimits: settings.sessionRateLimits,
    places: createPlaces(settings.callLimits),
    idempotency: createIdempotency({
      ...needs,
      onFault: (error) => listener.onFault(error, "idempotent answers"),
    }),
    onAnswered(call) {
      noteRequest(call);
      noteAnswer?.(call);
    },
  });
}

/** Public pages, and the pages for people that aren't operations. */
function pagesOf({ settings, closing, baseUrl }: DoorParts, needs: GatheredNeeds) {
  const { guides, clock } = needs;
  return {
    receiveEvent: receiveEvent(needs),
    previewBioPage: previewBioPage(needs),
    showBioPage: createShowBioPage({
      ...needs,
      onChange: (listener) => closing.addEventListener("abort", needs.subscribe("bioPages", listener)),
    }),
    showSitemap: createShowSitemap(needs),
    showShareCard: createShowShareCard({ ...needs, draw: drawCard }),
    uploadBioImage: uploadBioImage(needs),
    followBioLink: followBioLink(needs),
    openShareLink: openShareLink(needs),
    openScriptExport: openScriptExport(needs),
    openReportLink: openReportLink(needs),
    showScriptCard: createShowScriptCard(async (card) => {
      const { drawScriptCard } = await import("./adapters/pictures/draw-script-card.ts");
      return drawScriptCard(card);
    }),
    previewReel: previewReel(needs),
    operator: settings.operator ?? {},
    webhooksGuide: guides.find(({ slug }) => slug === webhooksGuideSlug)?.bodyMarkdown ?? "",
    llmsText: () => llmsText({ ...needs, baseUrl: baseUrl() }),
    securityText: () => securityText({ contact: settings.securityContact, baseUrl: baseUrl(), now: clock.now() }),
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
