import { baseline } from "./0001-baseline/baseline.ts";
import { keysOfWebhooks } from "./0002-keys-of-webhooks.ts";
import { searchRenewal } from "./0003-search-renewal.ts";
import { batches } from "./0004-batches.ts";
import { metricsOfReports } from "./0005-metrics-of-reports.ts";
import { waitingForOutages } from "./0006-waiting-for-outages.ts";
import { clocksOfMachines } from "./0007-clocks-of-machines.ts";
import { reportLinks } from "./0008-report-links.ts";
import { originOfTranscriptions } from "./0009-origin-of-transcriptions.ts";
import { drainingQueue } from "./0010-draining-queue.ts";
import { keptLibraries } from "./0011-kept-libraries.ts";
import { neighborsWaitedFor } from "./0012-neighbors-waited-for.ts";
import { changesOfPlans } from "./0013-changes-of-plans.ts";
import { compactTranscripts, compactTranscriptsName } from "./0014-compact-transcripts.ts";
import { mediaInStorage } from "./0015-media-in-storage.ts";
import { uncompressedTokens } from "./0016-uncompressed-tokens.ts";

export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** True if the previous release starts and works with the result. Otherwise that release refuses to start. */
  readonly isAdditive?: true;
}

/** Ordered and frozen: never edit a released migration; a change is a new one at the end. */
export const migrations: readonly Migration[] = [
  { name: "0001-baseline", sql: baseline },
  { name: "0002-keys-of-webhooks", sql: keysOfWebhooks, isAdditive: true },
  { name: "0003-search-renewal", sql: searchRenewal, isAdditive: true },
  { name: "0004-batches", sql: batches, isAdditive: true },
  { name: "0005-metrics-of-reports", sql: metricsOfReports, isAdditive: true },
  { name: "0006-waiting-for-outages", sql: waitingForOutages, isAdditive: true },
  { name: "0007-clocks-of-machines", sql: clocksOfMachines, isAdditive: true },
  { name: "0008-report-links", sql: reportLinks, isAdditive: true },
  { name: "0009-origin-of-transcriptions", sql: originOfTranscriptions, isAdditive: true },
  { name: "0010-draining-queue", sql: drainingQueue, isAdditive: true },
  { name: "0011-kept-libraries", sql: keptLibraries, isAdditive: true },
  { name: "0012-neighbors-waited-for", sql: neighborsWaitedFor, isAdditive: true },
  { name: "0013-changes-of-plans", sql: changesOfPlans, isAdditive: true },
  { name: compactTranscriptsName, sql: compactTranscripts, isAdditive: true },
  { name: "0015-media-in-storage", sql: mediaInStorage, isAdditive: true },
  { name: "0016-uncompressed-tokens", sql: uncompressedTokens, isAdditive: true },
];
