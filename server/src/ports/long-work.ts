import type {
  AnyOperationName,
  FullScript,
  ReelCollection,
  SubtitleFormat,
  SubtitleRules,
  Subtitles,
  VideoStyleName,
  TextOfFile,
  Translation,
} from "@reelscript/contract";
import type { KeptFile } from "./files.ts";
import type { RecognizerVersion } from "./retranscriptions.ts";
import type { ScriptRow, UnreadScript } from "./library.ts";
import type { NewReport } from "./reports.ts";

/** A script for its owner, in the requested form. */
interface ScriptToWrite {
  readonly script: UnreadScript;
  readonly recognizer: RecognizerVersion;
  /** The file whose script it is, while it is kept. */
  readonly keptFile: KeptFile | undefined;
  readonly translated: TranslatedFields;
  /** One of the formats of `getScript`; JSON by default. */
  readonly form: string | undefined;
}

/** The whole body. */
export interface WrittenBody {
  /** In UTF-8. */
  readonly bytes: Uint8Array;
  /** The file name without its extension; only for formats that are files. */
  readonly fileName: string | undefined;
}

/** The fields of a script about its translation. */
type TranslatedFields = Pick<FullScript, "translatable" | "translation">;

interface SubtitlesToMake {
  readonly script: UnreadScript;
  readonly translated: TranslatedFields;
  readonly text: TextOfFile;
  readonly format: SubtitleFormat;
  readonly rules: SubtitleRules;
}

interface VideoSubtitlesToMake {
  readonly script: UnreadScript;
  readonly style: VideoStyleName;
}

interface ScriptToExport {
  readonly script: UnreadScript;
  readonly translation: Translation | undefined;
}

interface TabledScript {
  readonly script: ScriptRow;
  /** Its text in English. */
  readonly translation: string | undefined;
}

/** A body as it arrived. */
export interface UnreadInput {
  readonly bytes: Uint8Array;
  /** Fields from the path, the query and the headers. */
  readonly beside: Readonly<Record<string, unknown>>;
  /** Fields that must not be in the body, with the location where they belong. */
  readonly misplaced: readonly (readonly [field: string, location: string])[];
}

interface InputToCheck extends UnreadInput {
  readonly operation: AnyOperationName;
  readonly wantsDigest: boolean;
}

/** JSON in UTF-8. */
export type PackedJson = Uint8Array;

/** An input that its operation accepts. */
export interface CheckedInput {
  /** A long field is `PackedJson`. */
  readonly input: Record<string, unknown>;
  /** SHA-256 of the operation and its input: equal for the same request. */
  readonly digest: Uint8Array | undefined;
}

/** A collection with reels that were checked, and that only the making of its report reads. */
export type PackedCollection = Omit<ReelCollection, "reels"> & { readonly reels: PackedJson };

export interface ReportToMake<Collection = ReelCollection> {
  readonly collection: Collection;
  /** IANA name; that of the collection may be missing. */
  readonly timezone: string;
  readonly collectedAt: Date;
  /** Limit of reels; `null` for no limit. */
  readonly mostReels: number | null;
  /** The speech of reels whose scripts the account has, by their URLs in the collection; empty without speech. */
  readonly spoken?: Readonly<Record<string, string>>;
}

/** The number of distinct reels in a collection, and its report unless there are too many. */
export interface MadeReport {
  readonly reels: number;
  readonly report: NewReport | undefined;
}

/** The jobs by name, with input and result. Their work grows with an account's data. */
export interface LongJobs {
  readonly writeScript: { readonly given: ScriptToWrite; readonly result: WrittenBody };
  readonly makeSubtitles: { readonly given: SubtitlesToMake; readonly result: Subtitles };
  /** The file for the renderer of a video; `undefined` if nothing is said. */
  readonly makeVideoSubtitles: {
    readonly given: VideoSubtitlesToMake;
    readonly result: { readonly text: string | undefined };
  };
  /** Scripts as an export has them: JSON in UTF-8, with a comma and a new line between them. */
  readonly writeScripts: { readonly given: readonly ScriptToExport[]; readonly result: Uint8Array };
  /** Lines of a table in UTF-8. */
  readonly writeScriptLines: { readonly given: readonly TabledScript[]; readonly result: Uint8Array };
  /** Throws `invalidRequest`. */
  readonly readInput: { readonly given: InputToCheck; readonly result: CheckedInput };
  /** The URLs of the first reels of a collection. */
  readonly listReelUrls: {
    readonly given: Pick<PackedCollection, "reels"> & { readonly most: number };
    readonly result: readonly string[];
  };
  readonly makeReport: { readonly given: ReportToMake<PackedCollection>; readonly result: MadeReport };
}

/**
 * Runs one of the jobs: a short one immediately, a long one off the main thread, one per owner at a time. Throws the job's
 * error, `rateLimited` if too many of the owner's jobs are waiting, and `unavailable` if too many are waiting in all.
 */
export type LongWork = <Name extends keyof LongJobs>(
  name: Name,
  given: LongJobs[Name]["given"],
  owner: string,
) => Promise<LongJobs[Name]["result"]>;
