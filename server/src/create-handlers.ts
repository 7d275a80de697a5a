import { allowanceOf, postAllowanceOf, rateSubjectOf, slotOf } from "./allowance.ts";
import { createApiKey, createNewId } from "./api-key.ts";
import { exportAll } from "./features/account/export-all.ts";
import { me } from "./features/account/me.ts";
import { remove as deleteAccount } from "./features/account/remove.ts";
import { usage } from "./features/account/usage.ts";
import { analytics as bioAnalytics } from "./features/bio/analytics.ts";
import { claimHandle as claimBioHandle } from "./features/bio/claim-handle.ts";
import { describePage } from "./features/bio/describe-page.ts";
import { endSubscription } from "./features/billing/end-subscription.ts";
import { get as getBilling } from "./features/billing/get.ts";
import { openPortal } from "./features/billing/open-portal.ts";
import { createReadAnew } from "./features/billing/read-anew.ts";
import { startCheckout } from "./features/billing/start-checkout.ts";
import { read as readBio } from "./features/bio/read.ts";
import { revert as revertBio } from "./features/bio/revert.ts";
import { update as updateBio } from "./features/bio/update.ts";
import { list as listGuides } from "./features/guides/list.ts";
import { read as readGuide } from "./features/guides/read.ts";
import { create as createKey } from "./features/keys/create.ts";
import { list as listKeys } from "./features/keys/list.ts";
import { requests as listKeyRequests } from "./features/keys/requests.ts";
import { revoke as revokeKey } from "./features/keys/revoke.ts";
import { accounts as listScriptAccounts } from "./features/library/accounts.ts";
import { describeFullScript } from "./features/library/describe-full-script.ts";
import { get as getScript } from "./features/library/get.ts";
import { remove as deleteScript } from "./features/library/remove.ts";
import { search } from "./features/library/search.ts";
import { overview } from "./features/product/overview.ts";
import { plans } from "./features/product/plans.ts";
import { resolve } from "./features/reels/resolve.ts";
import { createThumbnailOf } from "./features/reels/thumbnail.ts";
import { describeReport } from "./features/reports/describe-report.ts";
import { get as getReport } from "./features/reports/get.ts";
import { importCollection } from "./features/reports/import-collection.ts";
import { list as listReports } from "./features/reports/list.ts";
import { get as getSession } from "./features/sessions/get.ts";
import { list as listSessions } from "./features/sessions/list.ts";
import { revokeOthers as revokeOtherSessions } from "./features/sessions/revoke-others.ts";
import { revoke as revokeSession } from "./features/sessions/revoke.ts";
import { get as getTranscription } from "./features/transcription/get.ts";
import { transcribe } from "./features/transcription/transcribe.ts";
import type { Account, Biller, StoredGuide } from "./ports.ts";
import type { AccountCaller } from "./caller.ts";
import type { Handlers } from "./run.ts";
import type { Ports, Report, ServiceSettings } from "./service-settings.ts";

/** Joins every operation's handler with what it needs. */
export function createHandlers(
  settings: ServiceSettings,
  { store, locator, source, pictures, biller, clock }: Ports & { readonly biller: Biller },
  guides: readonly StoredGuide[],
  baseUrl: () => string,
  { onNotice }: Report,
): Handlers {
  const { quotaScope, queueLimit, model, languageQuality, rateLimits: limits } = settings;
  const allowance = (caller: AccountCaller) => allowanceOf(caller.account, slotOf(caller), quotaScope, clock.now());
  const postAllowance = (account: Account) => postAllowanceOf(account, clock.now());
  const limitsOf = ({ kind }: AccountCaller) => (kind === "session" ? settings.sessionRateLimits : limits);
  const {
    allowances,
    billing,
    bioEvents,
    bioPages,
    keys,
    rateLimits,
    reports,
    scripts,
    sessions,
    thumbnails,
    transcriptions,
  } = store;
  const readAnew = createReadAnew({ billing, biller, clock, onNotice });
  const thumbnailOf = createThumbnailOf({ thumbnails, pictures, clock, baseUrl, onNotice });
  return {
    transcribeReel: transcribe({ store, locator, clock, allowanceOf: allowance, model, queueLimit }),
    getTranscription: getTranscription({ store, allowanceOf: allowance }),
    searchMyScripts: search({ scripts }),
    getScript: getScript({ scripts }),
    getUsage: usage({
      allowances,
      allowanceOf: allowance,
      reports,
      postAllowanceOf: postAllowance,
    }),
    resolveReel: resolve({ locator, source, transcriptions, thumbnailOf, clock }),
    getMe: me({ allowances, allowanceOf: allowance, rateLimits, rateSubjectOf, limitsOf, clock }),
    listCompetitorReports: listReports({ reports }),
    getCompetitorReport: getReport({ reports }),
    getMyBioPage: readBio({ bioPages, baseUrl }),
    updateBioPage: updateBio({ bioPages, clock, baseUrl, newId: createNewId() }),
    revertBioPage: revertBio({ bioPages, clock, baseUrl }),
    getBioAnalytics: bioAnalytics({ bioEvents, clock }),
    listGuides: listGuides({ guides, baseUrl }),
    getGuide: readGuide({ guides, baseUrl }),
    getProductOverview: overview({ model, languageQuality, baseUrl }),
    getPlans: plans({ quotaScope, limits }),
    getSession: getSession(),
    listSessions: listSessions({ sessions, clock }),
    revokeSession: revokeSession({ sessions, clock }),
    revokeOtherSessions: revokeOtherSessions({ sessions, clock }),
    listKeys: listKeys({
      keys,
      allowances,
      allowanceOf: (account, slot) => allowanceOf(account, slot, quotaScope, clock.now()),
      quotaScope,
    }),
    createKey: createKey({ keys, clock, drawKey: createApiKey }),
    revokeKey: revokeKey({ keys, clock }),
    listKeyRequests: listKeyRequests({ keys, keyRequests: store.keyRequests }),
    listScriptAccounts: listScriptAccounts({ scripts }),
    deleteScript: deleteScript({ scripts }),
    importReport: importCollection({ reports, clock, postAllowanceOf: postAllowance }),
    claimBioHandle: claimBioHandle({ bioPages, clock, baseUrl }),
    getBilling: getBilling({ billing }),
    startCheckout: startCheckout({ billing, biller, readAnew, baseUrl }),
    openBillingPortal: openPortal({ billing, biller, readAnew, baseUrl }),
    exportAccount: exportAll({
      keys,
      scripts,
      reports,
      bioPages,
      clock,
      describeScript: describeFullScript,
      describeReport,
      describePage: (page) => describePage(page, baseUrl()),
    }),
    deleteAccount: deleteAccount({
      accounts: store.accounts,
      clock,
      endSubscription: endSubscription({ billing, biller }),
    }),
  };
}
