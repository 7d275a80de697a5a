import { constants } from "node:os";
import { failureMeanings, SourceFailure, type SourceFailureKind } from "../platforms/source-failure.ts";

/** The platform told our address to wait, which says nothing about the reel. */
export class AskedToWait extends SourceFailure {}

const asksToWait = /HTTP Error 429|too many requests|session has been rate-limited/i;

type Meanings = readonly (readonly [RegExp, SourceFailureKind])[];

/** Meanings of error messages on every platform, unless the platform's own meanings say more. */
const commonMeanings: Meanings = [
  [/no video formats|requested format is not available/i, "notVideo"],
  [/HTTP Error 4(?:04|10)/i, "deleted"],
  [/HTTP Error (?:401|403|429)|too many requests/i, "walled"],
  [
    /timed? ?out|failed to resolve|name resolution|unreachable|connection|unable to download|transport ?error|ssl|HTTP Error 5\d\d|\[download\]/i,
    "unreachable",
  ],
];

/** Without curl_cffi, or with an incomplete Python, yt-dlp gets less than it could, which says nothing about the reel. */
const installationFaults =
  /no impersonate target|ModuleNotFoundError|ImportError|bad interpreter|unsupported version of Python/i;
const lacksTarget = (line: string): boolean => /impersonate target/i.test(line) && /(?:un|not )available/i.test(line);

/** Without a JavaScript runtime yt-dlp finds only pictures on some platforms. */
const unsolved = /no supported JavaScript runtime|challenge solving failed/i;

/** Finds the meaning of yt-dlp's error message among the platform's own meanings: the first match counts. */
export function ytDlpFailure(complaints: string, platformMeanings: Meanings): SourceFailure {
  const errors = complaints
    .split("\n")
    .filter((line) => /ERROR|larger than max-filesize/.test(line))
    .join("\n");
  const text = (errors === "" ? complaints : errors).trim();
  const meanings: Meanings = [[/larger than max-filesize/i, "tooLarge"], ...platformMeanings, ...commonMeanings];
  const [, kind] = meanings.find(([pattern]) => pattern.test(text)) ?? [undefined, "changed" as const];
  const hasFault = installationFaults.test(complaints) || complaints.split("\n").some(lacksTarget);
  const isBroken =
    (hasFault && !failureMeanings[kind].isSureOfYtDlp && !/HTTP Error 4\d\d/.test(text)) ||
    (unsolved.test(complaints) && kind === "notVideo");
  const message = `yt-dlp: ${text.slice(0, 2_000) || "gave no reason"}`;
  if (isBroken) return new SourceFailure("installation", message);
  return kind === "walled" && asksToWait.test(text) ? new AskedToWait(kind, message) : new SourceFailure(kind, message);
}

const { ENOSPC, EDQUOT, EROFS, EIO, EMFILE, ENFILE, ENOMEM } = constants.errno;
const numbers = Object.entries({ ENOSPC, EDQUOT, EROFS, EIO, EMFILE, ENFILE, ENOMEM });
/** A packed yt-dlp that can't even unpack itself gives no error number. */
const full = /No space left on device/i;

/** The fault of this machine in yt-dlp's message, such as a full disk, in the form of Node's own errors. */
export function ytDlpMachineFault(complaints: string): Error | undefined {
  for (const line of complaints.split("\n").filter((one) => /error/i.test(one))) {
    const number = Number(/\[Errno (\d+)\]/.exec(line)?.[1]);
    const code = numbers.find(([, value]) => value === number)?.[0] ?? (full.test(line) ? "ENOSPC" : undefined);
    if (code !== undefined)
      return Object.assign(new Error(`yt-dlp: ${line.trim().slice(0, 2_000)}`), { code, syscall: "yt-dlp" });
  }
  return undefined;
}
