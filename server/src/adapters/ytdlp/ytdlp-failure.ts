import { SourceFailure, type SourceFailureKind } from "../platforms/source-failure.ts";

type Meanings = readonly (readonly [RegExp, SourceFailureKind])[];

/** What complaints about every platform mean, unless the platform's own words say more. */
const commonMeanings: Meanings = [
  [/no video formats|requested format is not available/i, "notVideo"],
  [/HTTP Error 4(?:04|10)/i, "deleted"],
  [/HTTP Error (?:401|403|429)/i, "walled"],
  [
    /timed? ?out|failed to resolve|name resolution|unreachable|connection|unable to download|transport ?error|ssl|HTTP Error 5\d\d|\[download\]/i,
    "unreachable",
  ],
];

/** Without curl_cffi, or with half of Python, yt-dlp gets less than it could: that says nothing about the reel. */
const installationFaults =
  /impersonate targets? .{0,200}(?:un|not )available|no impersonate target|ModuleNotFoundError|ImportError|bad interpreter|unsupported version of Python/i;
const explained: ReadonlySet<SourceFailureKind> = new Set(["tooLarge", "private", "ageGated", "notVideo", "deleted"]);

/** Reads what yt-dlp complained about, by what the platform's own words mean: the first that fits counts. */
export function ytDlpFailure(complaints: string, platformMeanings: Meanings): SourceFailure {
  const errors = complaints
    .split("\n")
    .filter((line) => /ERROR|larger than max-filesize/.test(line))
    .join("\n");
  const text = (errors === "" ? complaints : errors).trim();
  const meanings: Meanings = [[/larger than max-filesize/i, "tooLarge"], ...platformMeanings, ...commonMeanings];
  const [, kind] = meanings.find(([pattern]) => pattern.test(text)) ?? [undefined, "changed" as const];
  const isBroken = installationFaults.test(complaints) && !explained.has(kind) && !/HTTP Error 4\d\d/.test(text);
  return new SourceFailure(isBroken ? "installation" : kind, `yt-dlp: ${text.slice(0, 2_000) || "gave no reason"}`);
}
