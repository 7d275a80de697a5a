import { addScript } from "./add-script.ts";
import { addToQueueLength } from "./add-to-queue-length.ts";
import { bioImageObjectsRemoved } from "./bio-image-objects-removed.ts";
import { changeContent } from "./change-content.ts";
import { claimNext } from "./claim-next.ts";
import { countAddedReport } from "./count-added-report.ts";
import { countInQueue } from "./count-in-queue.ts";
import { countRemovedScripts } from "./count-removed-scripts.ts";
import { deleteFileBytes } from "./delete-file-bytes.ts";
import { deleteScripts } from "./delete-scripts.ts";
import { disableWebhooksOfKey } from "./disable-webhooks-of-key.ts";
import { endFile } from "./end-file.ts";
import { endTranscription } from "./end-transcription.ts";
import { followQueue } from "./follow-queue.ts";
import { fileObjectsRemoved } from "./file-objects-removed.ts";
import { forgetInterimText } from "./forget-interim-text.ts";
import { forgetOwnedTranscripts } from "./forget-owned-transcripts.ts";
import { forgetSentMedia } from "./forget-sent-media.ts";
import { indexScripts } from "./index-scripts.ts";
import { indexedTokens } from "./indexed-tokens.ts";
import { isInStorage } from "./is-in-storage.ts";
import { noteUnindexedScript } from "./note-unindexed-script.ts";
import { queueTranslation } from "./queue-translation.ts";
import { refuseTranscription } from "./refuse-transcription.ts";
import { removeDeletedScripts } from "./remove-deleted-scripts.ts";
import { restoreScripts } from "./restore-scripts.ts";
import { searchTokens } from "./search-tokens.ts";
import { sentMediaObjectsRemoved } from "./sent-media-objects-removed.ts";
import { shareTranscript } from "./share-transcript.ts";
import { sharedTokens } from "./shared-tokens.ts";
import { skipTakenDown } from "./skip-taken-down.ts";
import { startTranscription } from "./start-transcription.ts";
import { takeCall } from "./take-call.ts";
import { thumbnailObjectRemoved } from "./thumbnail-object-removed.ts";
import { uncompressTokens } from "./uncompress-tokens.ts";
import { addWebhookDeliveries } from "./former/add-webhook-deliveries.ts";
import { claimNextWithoutFiles } from "./former/claim-next-without-files.ts";
import { claimNextWithoutObjects } from "./former/claim-next-without-objects.ts";
import { claimTranscription } from "./former/claim-transcription.ts";
import { countAddedScripts } from "./former/count-added-scripts.ts";
import { indexScriptsOfSetting } from "./former/index-scripts.ts";
import { replaceOwnedTranscripts } from "./former/replace-owned-transcripts.ts";
import { restoreRequestedScript } from "./former/restore-requested-script.ts";
import { restoreScriptsOfSetting } from "./former/restore-scripts.ts";
import { scriptOf } from "./former/script-of.ts";
import { sharedTokensOfSetting } from "./former/shared-tokens.ts";
import { startTranscriptionOfSettings } from "./former/start-transcription.ts";
import type { DatabaseFunction } from "./database-function.ts";

/** All functions and triggers of the database. */
export const databaseFunctions: readonly DatabaseFunction[] = [
  addScript,
  addToQueueLength,
  bioImageObjectsRemoved,
  changeContent,
  claimNext,
  countAddedReport,
  countInQueue,
  countRemovedScripts,
  deleteFileBytes,
  deleteScripts,
  disableWebhooksOfKey,
  endFile,
  endTranscription,
  followQueue,
  fileObjectsRemoved,
  forgetInterimText,
  forgetOwnedTranscripts,
  forgetSentMedia,
  indexScripts,
  indexedTokens,
  isInStorage,
  noteUnindexedScript,
  queueTranslation,
  refuseTranscription,
  removeDeletedScripts,
  restoreScripts,
  searchTokens,
  sentMediaObjectsRemoved,
  shareTranscript,
  sharedTokens,
  skipTakenDown,
  startTranscription,
  takeCall,
  thumbnailObjectRemoved,
  uncompressTokens,
  addWebhookDeliveries,
  claimNextWithoutFiles,
  claimNextWithoutObjects,
  claimTranscription,
  countAddedScripts,
  indexScriptsOfSetting,
  replaceOwnedTranscripts,
  restoreRequestedScript,
  restoreScriptsOfSetting,
  scriptOf,
  sharedTokensOfSetting,
  startTranscriptionOfSettings,
];
