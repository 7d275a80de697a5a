import path from "node:path";
import { cutText, fileLimits, ServiceError, supportedLanguage, videoLimits } from "@reelscript/contract";
import type { Allowances, Clock, Failure, Files } from "../../ports.ts";
import { describeFile, uploadPath } from "../../describe/describe-file.ts";
import { allowanceOfCaller, type QuotaScope, slotOf } from "../../rules/allowance.ts";
import { noSuchFile, noSuchScript, orThrow } from "../../rules/refusals.ts";
import { hashOfSecret } from "../../rules/new-id.ts";
import type { Handlers } from "../../run/handler.ts";

interface FileNeeds {
  readonly files: Files;
  readonly allowances: Allowances;
  readonly clock: Clock;
  readonly quotaScope: QuotaScope;
  /** Bytes and seconds of the largest file. */
  readonly maxFileBytes: number;
  readonly maxFileSeconds: number;
  readonly maxMediaBytes: number;
  readonly sentBytesPerHour: number;
  readonly baseUrl: () => string;
  readonly drawToken: () => string;
}

/** Bytes of an account's stored files, and of all together, in multiples of the largest file. */
const mostOfAccount = 10;
const mostOfAll = 200;
/** Free disk space that workers need, in multiples of the largest media. */
const leastFree = 2;
const retryWithoutRoom = 60;
const retryWhenFull = 30;

export const fileHandlers = (needs: FileNeeds) =>
  ({
    createFile: async ({ input, caller }) => {
      const { files, allowances, clock, maxFileBytes, maxFileSeconds, maxMediaBytes, sentBytesPerHour } = needs;
      const { bytes: size, seconds = null } = input;
      if (size > maxFileBytes)
        throw new ServiceError(
          "invalidRequest",
          `The file has ${megabytes(size)}; at most ${megabytes(maxFileBytes)} are taken.`,
          { reason: "videoTooLarge", status: 413 },
        );
      if (seconds !== null && seconds > maxFileSeconds) throw tooLong(maxFileSeconds);
      const now = clock.now();
      const allowance = allowanceOfCaller(caller, needs.quotaScope, now);
      const units = Math.max(1, Math.ceil((seconds ?? maxFileSeconds) / fileLimits.secondsOfUnit));
      const { used, held } = await allowances.read(allowance.subject, allowance.period);
      const left = allowance.limit - used - held;
      const least = seconds === null ? 1 : units;
      if (left < least) throw tooExpensive(least, Math.max(0, left));
      const token = needs.drawToken();
      const begun = await files.begin(
        {
          accountId: caller.account.id,
          slot: slotOf(caller),
          tokenHash: hashOfSecret(token),
          name: input.name,
          title: input.title ?? titleOf(input.name),
          translates: input.translate !== undefined,
          languageHint: (input.languageHint !== undefined && supportedLanguage(input.languageHint)) || null,
          size,
          seconds,
          sha256: input.sha256 === undefined ? null : Buffer.from(input.sha256, "hex"),
          units,
          keepDays: input.keepDays ?? (input.videoStyle === undefined ? 0 : videoLimits.keepDays),
          videoStyle: input.videoStyle ?? null,
          expiresAt: new Date(now.getTime() + fileLimits.uploadHours * 3_600_000),
          now,
        },
        {
          mostAtATime: fileLimits.openAtATime,
          mostBytesOfAccount: mostOfAccount * maxFileBytes,
          mostBytes: mostOfAll * maxFileBytes,
          mostBytesPerHour: sentBytesPerHour,
          leastFreeBytes: leastFree * maxMediaBytes + size,
        },
      );
      if (begun.kind !== "begun") throw refusalOf(begun, sentBytesPerHour);
      const uploadUrl = `${needs.baseUrl()}${uploadPath}/${token}`;
      return { ...describeFile(begun.file), uploadUrl, command: commandOf(input.name, uploadUrl) };
    },

    getFile: async ({ input: { id }, caller }) =>
      describeFile(orThrow(await needs.files.find(caller.account.id, id), noSuchFile)),

    deleteFile: async ({ input: { id }, caller }) =>
      describeFile(orThrow(await needs.files.delete(caller.account.id, id, deleted, needs.clock.now()), noSuchFile)),

    renameScript: async ({ input: { id, title }, caller }) => {
      if (await needs.files.rename(caller.account.id, id, title)) return { id, title };
      throw noSuchScript();
    },
  }) satisfies Partial<Handlers>;

const deleted: Failure = {
  code: "notFound",
  status: 404,
  message: "You deleted the file before it was transcribed. You weren't charged.",
};

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000).toLocaleString("en-US")} MB`;

const titleOf = (name: string): string => cutText(path.parse(name).name.trim() || name, fileLimits.longestTitle);

/** The name is a stranger's, so it goes into the command only if a shell reads it as it is. */
const commandOf = (name: string, url: string): string =>
  `curl -X PATCH -H 'Tus-Resumable: 1.0.0' -H 'Upload-Offset: 0' -H 'Content-Type: application/offset+octet-stream' -T ${/^[\w.][\w.-]*$/.test(name) ? name : "FILE"} ${url}`;

const tooLong = (maxSeconds: number): ServiceError =>
  new ServiceError(
    "invalidRequest",
    `The file is longer than ${Math.floor(maxSeconds / 60)} minutes, the most that is transcribed. You weren't charged.`,
    { reason: "videoTooLong" },
  );

const tooExpensive = (units: number, left: number): ServiceError =>
  new ServiceError(
    "limitReached",
    `The file needs ${units} ${units === 1 ? "transcription" : "transcriptions"}, one per started 15 minutes, and ${left} of your allowance ${left === 1 ? "is" : "are"} left. Upgrading raises the limit.`,
    { reason: "transcriptionsUsed" },
  );

function refusalOf(
  refusal: Exclude<Awaited<ReturnType<Files["begin"]>>, { readonly kind: "begun" }>,
  sentBytesPerHour: number,
): ServiceError {
  switch (refusal.kind) {
    case "tooMany":
      return new ServiceError(
        "rateLimited",
        `You are already sending or transcribing ${fileLimits.openAtATime} files, the most at a time. Try again when one is done, or delete one.`,
        { reason: "tooManyFiles", retryAfter: retryWhenFull },
      );
    case "full":
      return new ServiceError(
        "unavailable",
        "There is no room for this file beside those that are kept. Delete kept files, or try again later.",
        { retryAfter: retryWithoutRoom },
      );
    case "noRoom":
      return new ServiceError("unavailable", "The service has no room for files right now. Try again in a minute.", {
        retryAfter: retryWithoutRoom,
      });
    case "spent":
      return new ServiceError(
        "rateLimited",
        `Your account may send ${megabytes(sentBytesPerHour)} of media in an hour, and this file would be more. Try again later.`,
        { reason: "tooManyRequests", retryAfter: refusal.retryAfter },
      );
  }
}
