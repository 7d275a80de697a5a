import { createApiKey, createExtensionToken, createShareToken } from "./callers/authenticate.ts";
import { createNewId } from "./rules/new-id.ts";
import { exportAccount } from "./features/account/export-account.ts";
import { accountHandlers } from "./features/account/account.ts";
import { getUsageByDay } from "./features/account/get-usage-by-day.ts";
import { getBioAnalytics } from "./features/bio/get-bio-analytics.ts";
import { bioPageHandlers } from "./features/bio/bio-page.ts";
import {
  endSubscription,
  createRefreshSubscription,
  type RefreshSubscription,
} from "./features/billing/refresh-subscription.ts";
import { billingHandlers } from "./features/billing/billing.ts";
import { operatorHandlers } from "./features/operator/operator.ts";
import { extensionHandlers } from "./features/extension.ts";
import { fileHandlers } from "./features/files/file-handlers.ts";
import type { TranscribeFileNeeds } from "./features/files/transcribe-files.ts";
import { guideHandlers } from "./features/guides.ts";
import { keyHandlers } from "./features/keys.ts";
import { scriptHandlers } from "./features/library/scripts.ts";
import { correctionHandlers } from "./features/library/corrections.ts";
import { searchMyScripts } from "./features/library/search-my-scripts.ts";
import { savedSearchHandlers } from "./features/library/saved-searches.ts";
import { linkScriptExport } from "./features/library/export-scripts.ts";
import { tagHandlers } from "./features/library/tags.ts";
import { productHandlers } from "./features/product.ts";
import { resolveReel, createThumbnailOf } from "./features/reels.ts";
import { reportHandlers } from "./features/reports/reports.ts";
import { reportLinkHandlers, shareLinkHandlers } from "./features/share-links.ts";
import { sessionHandlers } from "./features/sessions.ts";
import type { AdvanceNeeds } from "./features/transcription/batch/advance-batches.ts";
import { batchHandlers } from "./features/transcription/batch/batches.ts";
import { listTranscriptions } from "./features/transcription/own-transcriptions.ts";
import { retranscribeScript } from "./features/transcription/retranscribe-script.ts";
import { sendReelMedia, transcribeReel } from "./features/transcription/transcribe-reel.ts";
import { createUsualSeconds } from "./features/transcription/following/usual-seconds.ts";
import { translateScript } from "./features/transcription/translate-script.ts";
import { getTranscription } from "./features/transcription/following/get-transcription.ts";
import type { BeginVideoNeeds } from "./features/videos/begin-video.ts";
import { videoHandlers } from "./features/videos/video-handlers.ts";
import { webhookHandlers } from "./features/webhooks.ts";
import type { Biller, LongWork, StoredGuide } from "./ports.ts";
import { version } from "./mcp/build-server.ts";
import type { FairLine } from "./rules/fair-line.ts";
import { createCountCalls } from "./rules/count-calls.ts";
import { createIsOperator, type IsOperator } from "./rules/operators.ts";
import { videoAdvice } from "./rules/machine-needs.ts";
import { createExportLine } from "./run/export-line.ts";
import { createAskPlatform, type AskPlatform } from "./run/ask-platform.ts";
import type { Handlers } from "./run/handler.ts";
import type { Ports, FaultListener, ServiceSettings } from "./settings/service-settings.ts";
import { inviteByMail } from "./start/invite.ts";

export interface GivenParts {
  readonly settings: ServiceSettings;
  readonly ports: Ports & { readonly biller: Biller };
  /** The address that users see, as a function, because the port may be known only after listening. */
  readonly baseUrl: () => string;
  readonly listener: FaultListener;
  readonly longWork: LongWork;
  readonly guides: readonly StoredGuide[];
  /** The names of the periodic tasks, once they are known. */
  readonly taskNames: () => readonly string[];
}

/** Handlers share these with pages and tasks, because they count or remember. */
export interface SharedParts {
  readonly askPlatform: AskPlatform;
  readonly exportLine: FairLine;
  readonly refreshSubscription: RefreshSubscription;
  readonly isOperator: IsOperator;
}

export type HandlerParts = GivenParts & SharedParts;

export const createSharedParts = ({ settings, ports, listener }: GivenParts): SharedParts => ({
  askPlatform: createAskPlatform({
    locator: ports.locator,
    source: ports.source,
    countPlatform: createCountCalls({
      rateLimits: ports.store.rateLimits,
      clock: ports.clock,
      kind: "platform",
      calls: "requests that ask the platform",
      limit: settings.platformLimit,
    }),
  }),
  exportLine: createExportLine(),
  isOperator: createIsOperator({
    operatorAccounts: settings.operatorAccounts ?? [],
    operatorEmail: settings.invitesPeople ? settings.operatorEmail : undefined,
    passwords: ports.store.passwords,
  }),
  refreshSubscription: createRefreshSubscription({
    billing: ports.store.billing,
    biller: ports.biller,
    clock: ports.clock,
    onNotice: listener.onNotice,
  }),
});

/** Gives every operation's handler its arguments. Each is listed, so that no handler holds more than its type names. */
export const createHandlers = (parts: HandlerParts): Handlers => ({
  ...createTranscriptionHandlers(parts),
  ...createLibraryHandlers(parts),
  ...createShareHandlers(parts),
  ...createAccountHandlers(parts),
  ...createAccessHandlers(parts),
  ...createBioHandlers(parts),
  ...createOperatorHandlers(parts),
  ...createPublicHandlers(parts),
});

function createTranscriptionHandlers(parts: HandlerParts) {
  const { settings, ports, askPlatform } = parts;
  const { store, locator, clock } = ports;
  const { quotaScope, recognizer, queueLimit, queueLimitPerAccount } = settings;
  const usualSeconds = createUsualSeconds({ transcriptions: store.transcriptions, clock });
  const queue = { store, clock, quotaScope, usualSeconds, recognizer, queueLimit, queueLimitPerAccount };
  const translating = { ...queue, translatedLanguages: settings.translatedLanguages };
  return {
    transcribeReel: transcribeReel({ ...translating, askPlatform, locator, rateLimits: store.rateLimits }),
    sendReelMedia: sendReelMedia({
      ...queue,
      askPlatform,
      maxMediaBytes: settings.maxMediaBytes,
      sentBytesPerHour: settings.sentBytesPerHour,
    }),
    retranscribeScript: retranscribeScript(queue),
    translateScript: translateScript(translating),
    getTranscription: getTranscription({ store, clock, quotaScope, usualSeconds }),
    listTranscriptions: listTranscriptions({ store, clock }),
    ...batchHandlers({ ...batchNeedsOf(parts), files: store.files, locator, usualSeconds }),
    ...fileHandlers({
      files: store.files,
      allowances: store.allowances,
      clock,
      quotaScope,
      maxFileBytes: settings.maxFileBytes,
      maxFileSeconds: settings.maxFileSeconds,
      maxMediaBytes: settings.maxMediaBytes,
      sentBytesPerHour: settings.sentBytesPerHour,
      baseUrl: parts.baseUrl,
      drawToken: createShareToken,
    }),
    ...videoHandlers({ ...videoNeedsOf(parts), baseUrl: parts.baseUrl }),
  };
}

/** Handlers of videos and the periodic task begin them with these. */
export const videoNeedsOf = ({
  settings,
  ports,
  longWork,
}: Pick<HandlerParts, "settings" | "ports" | "longWork">): BeginVideoNeeds => ({
  scripts: ports.store.scripts,
  files: ports.store.files,
  videos: ports.store.videos,
  longWork,
  clock: ports.clock,
  makesVideos: settings.role !== "api" && ports.videoRenderer !== undefined,
  advice: videoAdvice,
  maxFileBytes: settings.maxFileBytes,
});

/** The door of uploads and the periodic task put files into the queue with these. */
export const fileNeedsOf = ({ settings, ports }: Pick<HandlerParts, "settings" | "ports">): TranscribeFileNeeds => ({
  allowances: ports.store.allowances,
  files: ports.store.files,
  accounts: ports.store.accounts,
  clock: ports.clock,
  quotaScope: settings.quotaScope,
  recognizer: settings.recognizer,
  translations: ports.store.translations,
  translatedLanguages: settings.translatedLanguages,
  queueLimit: settings.queueLimit,
  queueLimitPerAccount: settings.queueLimitPerAccount,
});

/** Handlers of batches and the periodic task begin their links with these. */
export const batchNeedsOf = ({ settings, ports }: Pick<HandlerParts, "settings" | "ports">): AdvanceNeeds => ({
  accounts: ports.store.accounts,
  allowances: ports.store.allowances,
  batches: ports.store.batches,
  keys: ports.store.keys,
  rateLimits: ports.store.rateLimits,
  transcriptions: ports.store.transcriptions,
  clock: ports.clock,
  limitsOf: limitsOf(settings),
  queueLimit: settings.queueLimit,
  queueLimitPerAccount: settings.queueLimitPerAccount,
  quotaScope: settings.quotaScope,
  recognizer: settings.recognizer,
});

const limitsOf =
  ({ rateLimits, sessionRateLimits }: ServiceSettings): AdvanceNeeds["limitsOf"] =>
  ({ kind }) =>
    kind === "key" ? rateLimits : sessionRateLimits;

function createLibraryHandlers({ settings, ports, baseUrl, longWork, askPlatform, exportLine }: HandlerParts) {
  const { store, clock } = ports;
  const { accounts, scripts, deletedScripts, corrections, tags, savedSearches, scriptExports } = store;
  return {
    ...scriptHandlers({
      scripts,
      files: store.files,
      translations: store.translations,
      deletedScripts,
      recognizer: settings.recognizer,
      translatedLanguages: settings.translatedLanguages,
      longWork,
      clock,
    }),
    searchMyScripts: searchMyScripts({
      accounts,
      scripts,
      translations: store.translations,
      deletedScripts,
      askPlatform,
      baseUrl,
      longWork,
      exportLine,
    }),
    linkScriptExport: linkScriptExport({ scripts, scriptExports, baseUrl, clock, drawShareToken: createShareToken }),
    ...correctionHandlers({ corrections, clock }),
    ...tagHandlers({ tags, scripts }),
    ...savedSearchHandlers({ savedSearches, clock }),
  };
}

function createShareHandlers({ ports, baseUrl, longWork }: HandlerParts) {
  const { store, locator, clock } = ports;
  const { reports, scripts, shareLinks, reportLinks } = store;
  return {
    ...reportHandlers({ reports, scripts, locator, clock, longWork }),
    ...shareLinkHandlers({ shareLinks, baseUrl, clock, drawShareToken: createShareToken }),
    ...reportLinkHandlers({ reportLinks, baseUrl, clock, drawShareToken: createShareToken }),
  };
}

function createAccountHandlers(parts: HandlerParts) {
  const { settings, ports, baseUrl, longWork, exportLine, refreshSubscription } = parts;
  const { store, biller, clock } = ports;
  const { accounts, allowances, billing, keys, rateLimits, reports } = store;
  const { quotaScope } = settings;
  return {
    ...accountHandlers({
      accounts,
      allowances,
      rateLimits,
      reports,
      clock,
      quotaScope,
      limitsOf: limitsOf(settings),
      endSubscription: endSubscription({ billing, biller }),
    }),
    getUsageByDay: getUsageByDay({ allowances, keys, quotaScope, clock }),
    exportAccount: exportAccount({
      accounts,
      keys,
      webhooks: store.webhooks,
      scripts: store.scripts,
      translations: store.translations,
      files: store.files,
      videos: store.videos,
      tags: store.tags,
      savedSearches: store.savedSearches,
      shareLinks: store.shareLinks,
      reportLinks: store.reportLinks,
      reports,
      bioPages: store.bioPages,
      clock,
      baseUrl,
      longWork,
      exportLine,
    }),
    ...billingHandlers({ billing, biller, refreshSubscription, baseUrl }),
  };
}

/** Keys, sessions, extensions and webhooks. */
function createAccessHandlers({ settings, ports, isOperator }: HandlerParts) {
  const { store, webhookSender, clock } = ports;
  const { allowances, keys, keyRequests, sessions, extensionCodes, webhooks } = store;
  const { quotaScope, sampleReelUrl } = settings;
  return {
    ...keyHandlers({ allowances, keys, keyRequests, clock, quotaScope, drawKey: createApiKey }),
    ...sessionHandlers({ sampleReelUrl, sessions, isOperator, clock }),
    ...extensionHandlers({ extensionCodes, sessions, clock, drawToken: createExtensionToken }),
    ...webhookHandlers({ webhooks, webhookSender, clock }),
  };
}

function createOperatorHandlers({ settings, ports, baseUrl, taskNames }: HandlerParts) {
  const { store, checkParts, clock, mailer } = ports;
  const { accounts, allowances, moderation, operatorFigures, operatorQueue, passwords, transcriptions } = store;
  const { invitesPeople = false, quotaScope, recognizer } = settings;
  return operatorHandlers({
    accounts,
    allowances,
    moderation,
    operatorFigures,
    operatorQueue,
    transcriptions,
    clock,
    quotaScope,
    recognizer,
    version,
    checkParts,
    taskNames,
    worksHere: settings.role !== "api",
    invite: invitesPeople
      ? (invited) => inviteByMail({ passwords, clock, site: baseUrl(), mailer }, invited)
      : undefined,
  });
}

function createBioHandlers({ ports, baseUrl }: HandlerParts) {
  const { store, images, clock } = ports;
  const { bioPages, bioImages, bioLinkHealth, bioEvents } = store;
  return {
    ...bioPageHandlers({ bioPages, bioImages, bioLinkHealth, images, clock, baseUrl, newId: createNewId() }),
    getBioAnalytics: getBioAnalytics({ bioEvents, clock }),
  };
}

/** Reels without an account's data, guides and the product. */
function createPublicHandlers({ settings, ports, baseUrl, listener, guides, askPlatform }: HandlerParts) {
  const { store, locator, pictures, clock } = ports;
  const { transcriptions, scripts, moderation, thumbnails } = store;
  const { onNotice } = listener;
  return {
    resolveReel: resolveReel({
      askPlatform,
      transcriptions,
      scripts,
      moderation,
      clock,
      maxAudioSeconds: settings.maxAudioSeconds,
      thumbnailOf: createThumbnailOf({ thumbnails, pictures, clock, baseUrl, onNotice }),
    }),
    ...guideHandlers({ guides, baseUrl }),
    ...productHandlers({
      recognizer: settings.recognizer,
      languageQuality: settings.languageQuality,
      languageErrors: settings.languageErrors,
      baseUrl,
      quotaScope: settings.quotaScope,
      limits: settings.rateLimits,
      locator,
    }),
  };
}
