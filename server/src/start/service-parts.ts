import type { OpenedStore } from "../adapters/database/open-store.ts";
import {
  languageErrorsOf,
  languageQualityOf,
  recognizerOf,
  translatedLanguagesOf,
} from "../recognition/recognizer-of.ts";
import type { Config } from "../settings/config.ts";
import type { Ports, ServiceSettings } from "../settings/service-settings.ts";
import type { OpenedPorts, Parts } from "./open-ports.ts";

/** Lists settings one by one: handlers need few of them, and none of the secrets. */
export const serviceSettingsOf = (config: Config, workDirectory: string, { standin }: Parts): ServiceSettings => ({
  host: config.host,
  port: config.port,
  baseUrl: config.baseUrl,
  trustProxy: config.trustProxy,
  countryHeader: config.countryHeader,
  corsOrigins: config.corsOrigins,
  role: config.role,
  securityContact: config.securityContact,
  abuseContact: config.abuseContact,
  operator: config.operator,
  operatorEmail: config.operatorEmail,
  operatorAccounts: config.operatorAccounts,
  quotaScope: config.quotaScope,
  callLimits: config.callLimits,
  platformLimit: config.platformLimit,
  messageLimit: config.messageLimit,
  followingLimit: config.followingLimit,
  rateLimits: config.rateLimits,
  sessionRateLimits: config.sessionRateLimits,
  signIn: config.signIn,
  invitesPeople: config.signIn.kind === "password",
  signInLimit: config.signInLimit,
  programLimit: config.programLimit,
  queueLimit: config.queueLimit,
  queueLimitPerAccount: config.queueLimitPerAccount,
  slots: config.slots,
  outageSeconds: config.outageSeconds,
  maxMediaBytes: config.maxMediaBytes,
  maxAudioSeconds: config.maxAudioSeconds,
  maxFileBytes: config.maxFileBytes,
  maxFileSeconds: config.maxFileSeconds,
  sentBytesPerHour: config.sentBytesPerHour,
  recognizer: recognizerOf(config),
  languageQuality: languageQualityOf(config),
  translatedLanguages: translatedLanguagesOf(config),
  languageErrors: languageErrorsOf(config),
  workDirectory,
  sampleReelUrl: standin?.exampleUrl,
  videoOrigins: standin?.videoOrigins,
});

/** Also listed one by one, without the means by which they were opened. */
export const portsOf = (
  opened: OpenedPorts,
  store: OpenedStore,
  { heldPort, checkParts }: Pick<Ports, "heldPort" | "checkParts"> = {},
): Ports => ({
  store,
  heldPort,
  checkParts,
  locator: opened.locator,
  source: opened.source,
  canary: opened.canary,
  pictures: opened.pictures,
  images: opened.images,
  probeLink: opened.probeLink,
  webhookSender: opened.webhookSender,
  fetchDocument: opened.fetchDocument,
  transcriber: opened.transcriber,
  videoRenderer: opened.videoRenderer,
  biller: opened.biller,
  localCheckout: opened.localCheckout,
  mailer: opened.mailer,
  clock: opened.clock,
});
