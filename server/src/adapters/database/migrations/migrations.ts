import { baseline } from "./0001-baseline/baseline.ts";
import { keysOfWebhooks } from "./0002-keys-of-webhooks.ts";
import { searchRenewal } from "./0003-search-renewal.ts";
import { batches } from "./0004-batches.ts";
import { metricsOfReports } from "./0005-metrics-of-reports.ts";

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** In order and frozen: what has been released is never edited, a change is a new migration at the end. */
export const migrations: readonly Migration[] = [
  { name: "0001-baseline", sql: baseline },
  { name: "0002-keys-of-webhooks", sql: keysOfWebhooks },
  { name: "0003-search-renewal", sql: searchRenewal },
  { name: "0004-batches", sql: batches },
  { name: "0005-metrics-of-reports", sql: metricsOfReports },
];
