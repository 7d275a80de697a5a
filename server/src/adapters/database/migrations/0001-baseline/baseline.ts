import { accounts } from "./accounts.ts";
import { billing } from "./billing.ts";
import { bio } from "./bio.ts";
import { calls } from "./calls.ts";
import { library } from "./library.ts";
import { pictures } from "./pictures.ts";
import { queue } from "./queue.ts";
import { transcripts } from "./transcripts.ts";
import { webhooks } from "./webhooks.ts";
import { addToQueueLength } from "./functions/add-to-queue-length.ts";
import { addWebhookDeliveries } from "./functions/add-webhook-deliveries.ts";
import { bioImageObjectsRemoved } from "./functions/bio-image-objects-removed.ts";
import { changeContent } from "./functions/change-content.ts";
import { claimTranscription } from "./functions/claim-transcription.ts";
import { countAddedReport } from "./functions/count-added-report.ts";
import { countAddedScripts } from "./functions/count-added-scripts.ts";
import { countInQueue } from "./functions/count-in-queue.ts";
import { countRemovedScripts } from "./functions/count-removed-scripts.ts";
import { followQueue } from "./functions/follow-queue.ts";
import { forgetInterimText } from "./functions/forget-interim-text.ts";
import { forgetOwnedTranscripts } from "./functions/forget-owned-transcripts.ts";
import { forgetSentMedia } from "./functions/forget-sent-media.ts";
import { indexScripts } from "./functions/index-scripts.ts";
import { listBioPage } from "./functions/list-bio-page.ts";
import { refuseTranscription } from "./functions/refuse-transcription.ts";
import { replaceOwnedTranscripts } from "./functions/replace-owned-transcripts.ts";
import { searchTokens } from "./functions/search-tokens.ts";
import { skipTakenDown } from "./functions/skip-taken-down.ts";
import { startTranscription } from "./functions/start-transcription.ts";
import { takeCall } from "./functions/take-call.ts";
import { thumbnailObjectRemoved } from "./functions/thumbnail-object-removed.ts";

/** Tables first, each after those that it references; then the functions with their triggers, callees first. */
export const baseline = [
  accounts,
  calls,
  billing,
  transcripts,
  queue,
  library,
  bio,
  pictures,
  webhooks,
  countInQueue,
  addToQueueLength,
  changeContent,
  searchTokens,
  indexScripts,
  addWebhookDeliveries,
  bioImageObjectsRemoved,
  claimTranscription,
  countAddedReport,
  countAddedScripts,
  countRemovedScripts,
  followQueue,
  forgetInterimText,
  forgetOwnedTranscripts,
  forgetSentMedia,
  listBioPage,
  refuseTranscription,
  replaceOwnedTranscripts,
  skipTakenDown,
  startTranscription,
  takeCall,
  thumbnailObjectRemoved,
].join("");
