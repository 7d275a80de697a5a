import {
  csvLines,
  operations,
  peopleOperations,
  scriptCsvColumns,
  subtitlesOf,
  videoCues,
  videoSubtitleFile,
  type FullScript,
  type ReelCollection,
} from "@reelscript/contract";
import { readScript } from "../adapters/database/library/unread-scripts.ts";
import { describeFullScript, describeScript } from "../describe/describe-script.ts";
import { reportOfCollection } from "../features/reports/ingest-collection.ts";
import type { KeptFile, LongJobs, PackedCollection, RecognizerVersion, UnreadScript } from "../ports.ts";
import { checkInput, joinInput, unpack, writeOutput } from "../run/schemas.ts";

/** The functions of the jobs. They are pure, so they give the same result wherever they run. */
export const jobs: {
  readonly [Name in keyof LongJobs]: (given: LongJobs[Name]["given"]) => LongJobs[Name]["result"];
} = {
  writeScript: ({ script, recognizer, keptFile, translated, form: name }) => {
    const output = fullScript(script, recognizer, keptFile, translated);
    const { formats } = operations.getScript.http;
    const form = name === undefined ? undefined : formatOf(formats?.forms, name);
    if (form === undefined) return { bytes: utf8.encode(JSON.stringify(output)), fileName: undefined };
    return { bytes: utf8.encode(form.write(output)), fileName: formats?.fileName(output) };
  },
  makeSubtitles: ({ script, translated, format, text, rules }) =>
    subtitlesOf({ ...describeFullScript(readScript(script)), ...translated }, format, { rules, text }),
  makeVideoSubtitles: ({ script, style }) => {
    const subtitles = videoCues(describeFullScript(readScript(script)), style);
    return { text: subtitles.cues.length === 0 ? undefined : videoSubtitleFile(subtitles, style) };
  },
  writeScripts: (scripts) => utf8.encode(scripts.map((script) => JSON.stringify(exportedScript(script))).join(",\n")),
  writeScriptLines: (scripts) =>
    utf8.encode(
      csvLines(
        scriptCsvColumns,
        scripts.map(({ script, translation }) => ({
          ...describeScript(script),
          ...(translation !== undefined && { translation: { text: translation } }),
        })),
      ),
    ),
  readInput: ({ operation, bytes, beside, misplaced, wantsDigest }) =>
    checkInput(operation, joinInput(bytes, beside, misplaced), wantsDigest),
  listReelUrls: ({ reels, most }) =>
    unpackReels(reels)
      .slice(0, most)
      .map(({ url }) => url),
  makeReport: ({ collection, ...given }) =>
    reportOfCollection({ ...given, collection: { ...collection, reels: unpackReels(collection.reels) } }),
};

/** Approximate number of characters that a job reads. */
export const sizes: { readonly [Name in keyof LongJobs]: (given: LongJobs[Name]["given"]) => number } = {
  writeScript: ({ script }) => sizeOf(script),
  makeSubtitles: ({ script }) => sizeOf(script),
  makeVideoSubtitles: ({ script }) => sizeOf(script),
  writeScripts: (scripts) => scripts.reduce((sum, { script }) => sum + sizeOf(script), 0),
  writeScriptLines: (scripts) =>
    scripts.reduce((sum, { script, translation = "" }) => sum + script.transcript.text.length + translation.length, 0),
  readInput: ({ bytes }) => bytes.length,
  listReelUrls: ({ reels }) => reels.length,
  makeReport: ({ collection }) => collection.reels.length,
};

/** Long bytes of a result, which a thread hands over instead of copying them. */
export const handedOver: {
  readonly [Name in keyof LongJobs]?: (result: LongJobs[Name]["result"]) => readonly unknown[];
} = {
  writeScript: ({ bytes }) => [bytes],
  writeScripts: (bytes) => [bytes],
  writeScriptLines: (bytes) => [bytes],
  readInput: ({ input }) => Object.values(input),
};

const utf8 = new TextEncoder();

/** The operation's schema has read the reels. */
const unpackReels = (packed: PackedCollection["reels"]): ReelCollection["reels"] =>
  unpack(packed) as ReelCollection["reels"];

const sizeOf = ({ transcript, segments, gaps, words, times }: UnreadScript): number =>
  transcript.text.length + segments.length + gaps.length + (words?.length ?? 0) + (times?.length ?? 0);

const fullScript = (
  script: UnreadScript,
  recognizer: RecognizerVersion,
  keptFile: KeptFile | undefined,
  translated: LongJobs["writeScript"]["given"]["translated"],
): FullScript =>
  writeOutput(operations.getScript, {
    ...describeFullScript(readScript(script), recognizer),
    ...translated,
    ...(keptFile && { file: { id: keptFile.id, keptUntil: keptFile.keptUntil.toISOString() } }),
  });

const exportedScript = ({ script, translation }: LongJobs["writeScripts"]["given"][number]): unknown =>
  writeOutput(
    { output: peopleOperations.exportAccount.output.shape.scripts.element },
    { ...describeFullScript(readScript(script)), ...(translation && { translation }) },
  );

type Forms = NonNullable<(typeof operations.getScript)["http"]["formats"]>["forms"];

const formatOf = (forms: Forms | undefined, name: string): Forms[string] | undefined =>
  forms !== undefined && Object.hasOwn(forms, name) ? forms[name] : undefined;
