import { firstTables } from "./0001-to-0020/0001-first-tables.ts";
import { reports } from "./0001-to-0020/0002-reports.ts";
import { bio } from "./0001-to-0020/0003-bio.ts";
import { idempotentAnswers } from "./0001-to-0020/0004-idempotent-answers.ts";
import { thumbnails } from "./0001-to-0020/0005-thumbnails.ts";
import { sessions } from "./0001-to-0020/0006-sessions.ts";
import { keyRequests } from "./0001-to-0020/0007-key-requests.ts";
import { billing } from "./0001-to-0020/0008-billing.ts";
import { bioHandles } from "./0001-to-0020/0009-bio-handles.ts";
import { bioTotals } from "./0001-to-0020/0010-bio-totals.ts";
import { deleteAccounts } from "./0001-to-0020/0011-delete-accounts.ts";
import { removedAccounts } from "./0001-to-0020/0012-removed-accounts.ts";
import { rememberedUse } from "./0001-to-0020/0013-remembered-use.ts";
import { repairs } from "./0001-to-0020/0014-repairs.ts";
import { fairQueue } from "./0001-to-0020/0015-fair-queue.ts";
import { moderation } from "./0001-to-0020/0017-moderation.ts";
import { libraries } from "./0001-to-0020/0018-libraries.ts";
import { openHoldsAndObjects } from "./0001-to-0020/0019-open-holds-and-objects.ts";
import { bioBatches } from "./0021-to-0040/0022-bio-batches.ts";
import { bioTakedowns } from "./0021-to-0040/0023-bio-takedowns.ts";
import { bioImages } from "./0021-to-0040/0024-bio-images.ts";
import { bioLinkHealth } from "./0021-to-0040/0025-bio-link-health.ts";
import { extensions } from "./0021-to-0040/0026-extensions.ts";
import { sentMedia } from "./0021-to-0040/0027-sent-media.ts";
import { dropScriptTokens } from "./0021-to-0040/0033-drop-script-tokens.ts";
import { webhooks } from "./0021-to-0040/0036-webhooks.ts";
import { workers } from "./0021-to-0040/0037-workers.ts";
import { keyExpiry } from "./0021-to-0040/0038-key-expiry.ts";
import { interimText } from "./0021-to-0040/0039-interim-text.ts";
import { corrections } from "./0021-to-0040/0040-corrections.ts";
import { shareLinks } from "./0041-to-0060/0041-share-links.ts";
import { whatOutlives } from "./0041-to-0060/0042-what-outlives.ts";
import { sentHours } from "./0041-to-0060/0043-sent-hours.ts";
import { platformTurns } from "./0041-to-0060/0044-platform-turns.ts";

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** In order and frozen: what has been released is never edited, a change is a new migration at the end. */
export const migrations: readonly Migration[] = [
  { name: "0001-first-tables", sql: firstTables },
  { name: "0002-reports", sql: reports },
  { name: "0003-bio", sql: bio },
  { name: "0004-idempotent-answers", sql: idempotentAnswers },
  { name: "0005-thumbnails", sql: thumbnails },
  { name: "0006-sessions", sql: sessions },
  { name: "0007-key-requests", sql: keyRequests },
  { name: "0008-billing", sql: billing },
  { name: "0009-bio-handles", sql: bioHandles },
  { name: "0010-bio-totals", sql: bioTotals },
  { name: "0011-delete-accounts", sql: deleteAccounts },
  { name: "0012-removed-accounts", sql: removedAccounts },
  { name: "0013-remembered-use", sql: rememberedUse },
  { name: "0014-repairs", sql: repairs },
  { name: "0015-fair-queue", sql: fairQueue },
  { name: "0017-moderation", sql: moderation },
  { name: "0018-libraries", sql: libraries },
  { name: "0019-open-holds-and-objects", sql: openHoldsAndObjects },
  { name: "0022-bio-batches", sql: bioBatches },
  { name: "0023-bio-takedowns", sql: bioTakedowns },
  { name: "0024-bio-images", sql: bioImages },
  { name: "0025-bio-link-health", sql: bioLinkHealth },
  { name: "0026-extensions", sql: extensions },
  { name: "0027-sent-media", sql: sentMedia },
  { name: "0033-drop-script-tokens", sql: dropScriptTokens },
  { name: "0036-webhooks", sql: webhooks },
  { name: "0037-workers", sql: workers },
  { name: "0038-key-expiry", sql: keyExpiry },
  { name: "0039-interim-text", sql: interimText },
  { name: "0040-corrections", sql: corrections },
  { name: "0041-share-links", sql: shareLinks },
  { name: "0042-what-outlives", sql: whatOutlives },
  { name: "0043-sent-hours", sql: sentHours },
  { name: "0044-platform-turns", sql: platformTurns },
];
