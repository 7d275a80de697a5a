import { addToQueueLength } from "./add-to-queue-length.ts";
import { addWebhookDeliveries } from "./add-webhook-deliveries.ts";
import { bioImageObjectsRemoved } from "./bio-image-objects-removed.ts";
import { changeContent } from "./change-content.ts";
import { claimNext } from "./claim-next.ts";
import { countAddedReport } from "./count-added-report.ts";
import { countAddedScripts } from "./count-added-scripts.ts";
import { countInQueue } from "./count-in-queue.ts";
import { countRemovedScripts } from "./count-removed-scripts.ts";
import { deleteScripts } from "./delete-scripts.ts";
import { disableWebhooksOfKey } from "./disable-webhooks-of-key.ts";
import { followQueue } from "./follow-queue.ts";
import { forgetInterimText } from "./forget-interim-text.ts";
import { forgetOwnedTranscripts } from "./forget-owned-transcripts.ts";
import { forgetSentMedia } from "./forget-sent-media.ts";
import { indexScripts } from "./index-scripts.ts";
import { indexedTokens } from "./indexed-tokens.ts";
import { isInStorage } from "./is-in-storage.ts";
import { noteUnindexedScript } from "./note-unindexed-script.ts";
import { refuseTranscription } from "./refuse-transcription.ts";
import { removeDeletedScripts } from "./remove-deleted-scripts.ts";
import { replaceOwnedTranscripts } from "./replace-owned-transcripts.ts";
import { restoreRequestedScript } from "./restore-requested-script.ts";
import { restoreScripts } from "./restore-scripts.ts";
import { scriptOf } from "./script-of.ts";
import { searchTokens } from "./search-tokens.ts";
import { sentMediaObjectsRemoved } from "./sent-media-objects-removed.ts";
import { sharedTokens } from "./shared-tokens.ts";
import { skipTakenDown } from "./skip-taken-down.ts";
import { startTranscription } from "./start-transcription.ts";
import { takeCall } from "./take-call.ts";
import { thumbnailObjectRemoved } from "./thumbnail-object-removed.ts";
import { uncompressTokens } from "./uncompress-tokens.ts";
import { claimNextWithoutObjects } from "./former/claim-next-without-objects.ts";
import { claimTranscription } from "./former/claim-transcription.ts";
import type { DatabaseFunction } from "./database-function.ts";

/** All functions and triggers of the database. */
export const databaseFunctions: readonly DatabaseFunction[] = [
  addToQueueLength,
  addWebhookDeliveries,
  bioImageObjectsRemoved,
  changeContent,
  claimNext,
  countAddedReport,
  countAddedScripts,
  countInQueue,
  countRemovedScripts,
  deleteScripts,
  disableWebhooksOfKey,
  followQueue,
  forgetInterimText,
  forgetOwnedTranscripts,
  forgetSentMedia,
  indexScripts,
  indexedTokens,
  isInStorage,
  noteUnindexedScript,
  refuseTranscription,
  removeDeletedScripts,
  replaceOwnedTranscripts,
  restoreRequestedScript,
  restoreScripts,
  scriptOf,
  searchTokens,
  sentMediaObjectsRemoved,
  sharedTokens,
  skipTakenDown,
  startTranscription,
  takeCall,
  thumbnailObjectRemoved,
  uncompressTokens,
  claimNextWithoutObjects,
  claimTranscription,
];
