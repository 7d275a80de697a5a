import { databaseFunctions } from "../functions/database-functions.ts";
import type { DatabaseFunction } from "../functions/database-function.ts";
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
import { compactTranscripts } from "./0014-compact-transcripts.ts";
import { mediaInStorage } from "./0015-media-in-storage.ts";
import { uncompressedTokens } from "./0016-uncompressed-tokens.ts";
import { compactTranscriptsName } from "../transcripts/compact-transcripts.ts";
import { openedFunctions } from "./0017-opened-functions.ts";
import { waitingInTurn } from "./0018-waiting-in-turn.ts";
import { files } from "./0019-files.ts";
import { passwords } from "./0020-passwords.ts";
import { operators } from "./0021-operators.ts";
import { videos } from "./0022-videos.ts";
import { translations } from "./0023-translations.ts";
import { filesInBatches } from "./0024-files-in-batches.ts";

export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** True if the previous release starts and works with the result. Otherwise that release refuses to start. */
  readonly isAdditive?: true;
  /**
   * SHA-256 in hexadecimal digits by which databases know the migration, if its text had functions that are now in `functions/`.
   * By default that of `sql`.
   */
  readonly checksum?: string;
  /** The functions and triggers that a database has after this migration. */
  readonly functions?: readonly DatabaseFunction[];
}

/**
 * Ordered and frozen: never edit a released migration; a change is a new one at the end. When functions change, the new migration
 * takes `functions` over from the one before, because only the current ones have files.
 */
export const migrations: readonly Migration[] = [
  {
    name: "0001-baseline",
    sql: baseline,
    checksum: "3af54bfbe7af5308801c0f44aaf0c74725a490dcf883b3fe71fb6ae265ca48e5",
  },
  {
    name: "0002-keys-of-webhooks",
    sql: keysOfWebhooks,
    isAdditive: true,
    checksum: "3dac73157c888bdb84029287a29ed4076d928f1c67c0a569587ce34b6d1acd64",
  },
  { name: "0003-search-renewal", sql: searchRenewal, isAdditive: true },
  { name: "0004-batches", sql: batches, isAdditive: true },
  { name: "0005-metrics-of-reports", sql: metricsOfReports, isAdditive: true },
  {
    name: "0006-waiting-for-outages",
    sql: waitingForOutages,
    isAdditive: true,
    checksum: "93eb82be96c4872557c4aa70ec03b88eeb110c5f7401886300a4e72f7a17f97a",
  },
  { name: "0007-clocks-of-machines", sql: clocksOfMachines, isAdditive: true },
  { name: "0008-report-links", sql: reportLinks, isAdditive: true },
  { name: "0009-origin-of-transcriptions", sql: originOfTranscriptions, isAdditive: true },
  { name: "0010-draining-queue", sql: drainingQueue, isAdditive: true },
  {
    name: "0011-kept-libraries",
    sql: keptLibraries,
    isAdditive: true,
    checksum: "157a2f9c5102f12c870aeb412cd98d53922e02b5085e9519f5b856a7fe6870ea",
  },
  {
    name: "0012-neighbors-waited-for",
    sql: neighborsWaitedFor,
    isAdditive: true,
    checksum: "5d457935e557e90c5b2e7d2a21842b35f3bde35e786325c9d3c2c6ba3e9b3097",
  },
  { name: "0013-changes-of-plans", sql: changesOfPlans, isAdditive: true },
  {
    name: compactTranscriptsName,
    sql: compactTranscripts,
    isAdditive: true,
    checksum: "eaa69031470fdab2b5e1f089790c2a83156dd017b54b68dccd89de1283b7885b",
  },
  {
    name: "0015-media-in-storage",
    sql: mediaInStorage,
    isAdditive: true,
    checksum: "8bd3e768df6bdaf9df6d34f0dd1ea9917bc6db6fc047866a1946000b532b71b6",
  },
  {
    name: "0016-uncompressed-tokens",
    sql: uncompressedTokens,
    isAdditive: true,
    checksum: "b325c19dbbe87c44ac2ee68a97b02d36962bee04ae329ac549d580ddae400c75",
  },
  { name: "0017-opened-functions", sql: openedFunctions, isAdditive: true },
  { name: "0018-waiting-in-turn", sql: waitingInTurn, isAdditive: true },
  { name: "0019-files", sql: files, isAdditive: true },
  { name: "0020-passwords", sql: passwords, isAdditive: true },
  { name: "0021-operators", sql: operators, isAdditive: true },
  { name: "0022-videos", sql: videos, isAdditive: true },
  { name: "0023-translations", sql: translations, isAdditive: true },
  { name: "0024-files-in-batches", sql: filesInBatches, isAdditive: true, functions: databaseFunctions },
];
