import { filePlatform, type Language, ServiceError } from "@reelscript/contract";
import type {
  Accounts,
  Allowances,
  CachedTranscript,
  Clock,
  Failure,
  Files,
  PeriodicTask,
  RecognizerVersion,
  StoredFile,
  Translations,
} from "../../ports.ts";
import { fileUrlStart } from "../../ports/files.ts";
import { isTranslated } from "../../describe/describe-translation.ts";
import { refusalKey } from "../../recognition/recognizer-of.ts";
import { allowanceOf, type QuotaScope } from "../../rules/allowance.ts";

export interface TranscribeFileNeeds {
  readonly files: Files;
  readonly accounts: Accounts;
  readonly allowances: Allowances;
  readonly clock: Clock;
  readonly quotaScope: QuotaScope;
  readonly recognizer: RecognizerVersion;
  readonly translations: Pick<Translations, "request">;
  /** The languages that the running model translates. */
  readonly translatedLanguages: readonly Language[];
  readonly queueLimit: number;
  readonly queueLimitPerAccount: number;
}

/** A full queue, units that are held, or the same bytes that are being transcribed, are looked at again after this time. */
const laterMilliseconds = 5_000;
const filesAtATime = 20;

/** Puts files into the queue whose bytes are all there. Never throws for one of them because of another. */
export const transcribeFiles = (needs: TranscribeFileNeeds): PeriodicTask => ({
  name: "transcribe-files",
  everySeconds: 2,
  scope: "service",
  async run(now) {
    const due = await needs.files.due(filesAtATime, now);
    const begun = await Promise.allSettled(due.map((file) => transcribeWhole(needs, file)));
    const failed = begun.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return due.length === filesAtATime;
  },
});

/** A file whose last request ended before its answer is completed first. */
async function transcribeWhole(needs: TranscribeFileNeeds, file: StoredFile): Promise<void> {
  const whole = file.mediaId === null ? await needs.files.complete(file.id, needs.clock.now()) : file;
  if (whole !== undefined) await transcribeFile(needs, whole);
}

/** Puts a file into the queue, or ends it if the account has its script already or can't pay for it. */
export async function transcribeFile(needs: TranscribeFileNeeds, file: StoredFile): Promise<void> {
  const { files, accounts, clock, recognizer, queueLimit, queueLimitPerAccount } = needs;
  const { id, mediaId, languageHint } = file;
  const account = await accounts.find(file.accountId);
  if (account === undefined || mediaId === null) return;
  const now = clock.now();
  const allowance = allowanceOf(account, file.slot, needs.quotaScope, now);
  const later = () => files.putOff(id, new Date(now.getTime() + laterMilliseconds));
  const outcome = await files
    .request(id, {
      reel: {
        platform: filePlatform,
        mediaId,
        shortcode: mediaId,
        url: `${fileUrlStart}${mediaId}`,
      },
      languageHint,
      allowance,
      model: refusalKey(recognizer, languageHint),
      queueLimit,
      queueLimitPerAccount,
      now,
    })
    .catch((error: unknown) => {
      if (error instanceof ServiceError && (error.code === "unauthorized" || error.code === "notFound"))
        return { kind: "refused" as const, failure: failureOf(error) };
      throw error;
    });
  switch (outcome.kind) {
    case "started":
      return;
    case "cached":
      if (file.translates) await translateAgain(needs, file, outcome.transcript, now);
      return files.end(id, null, now);
    case "limitReached": {
      // Transcriptions that hold the rest may return some of it.
      const { used } = await needs.allowances.read(allowance.subject, allowance.period);
      return used < allowance.limit ? later() : files.end(id, noUnitLeft, now);
    }
    case "refused":
      return files.end(id, outcome.failure, now);
    case "inProgress":
    case "accountQueueFull":
    case "queueFull":
      return later();
  }
}

/** The bytes of a script that is there have arrived once more, so that it can be translated. */
async function translateAgain(
  { translations, recognizer, queueLimit, queueLimitPerAccount, ...offer }: TranscribeFileNeeds,
  { id: fileId, accountId }: StoredFile,
  { scriptId, language }: CachedTranscript,
  now: Date,
): Promise<void> {
  if (scriptId === null || !isTranslated(language, offer)) return;
  const { revision } = recognizer;
  await translations.request({ accountId, scriptId, revision, fileId, queueLimit, queueLimitPerAccount, now });
}

export const failureOf = ({ code, status, message, reason, retryAfter }: ServiceError): Failure => ({
  code,
  status,
  message,
  reason,
  retryAfter,
});

const noUnitLeft: Failure = {
  code: "limitReached",
  status: 403,
  reason: "transcriptionsUsed",
  message: "All transcriptions of your allowance were used before the file was there. Upgrading raises the limit.",
};
