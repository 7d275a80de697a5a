import { SourceFailure, type SourceFailureKind } from "../platform/source-failure.ts";

/** The first that fits says what the complaint means: the plainest words come first. */
const meanings: readonly (readonly [RegExp, SourceFailureKind])[] = [
  [/larger than max-filesize/i, "tooLarge"],
  [/users who follow this account|account is private|private (?:video|post)/i, "private"],
  [/restricted video|age[- ]restricted|\b\d\d years old\b|confirm your age/i, "ageGated"],
  [/no video in this post|no video formats|requested format is not available/i, "notVideo"],
  [/HTTP Error 4(?:04|10)|isn't available|does not exist|removed/i, "deleted"],
  [/rate-?limit|HTTP Error (?:401|403|429)|log ?in|logged|not granting access|wait a few minutes|challenge/i, "walled"],
  [
    /timed? ?out|failed to resolve|name resolution|unreachable|connection|unable to download|transport ?error|ssl|HTTP Error 5\d\d|\[download\]/i,
    "unreachable",
  ],
];

/** Reads what yt-dlp complained about. */
export function ytDlpFailure(complaints: string): SourceFailure {
  const errors = complaints
    .split("\n")
    .filter((line) => /ERROR|larger than max-filesize/.test(line))
    .join("\n");
  const text = (errors === "" ? complaints : errors).trim();
  const [, kind] = meanings.find(([pattern]) => pattern.test(text)) ?? [undefined, "changed" as const];
  return new SourceFailure(kind, `yt-dlp: ${text.slice(0, 2_000) || "gave no reason"}`);
}
