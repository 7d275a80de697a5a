import type { VideoStyleName } from "@reelscript/contract";
import type { Failure, TranscriptionOutcome, TranscriptionRequest } from "./transcriptions.ts";

/** A file of an account's own, without its bytes. */
export interface StoredFile {
  readonly id: string;
  readonly accountId: string;
  /** Whose allowance it uses. */
  readonly slot: number;
  readonly name: string;
  readonly title: string;
  readonly languageHint: string | null;
  /** It is translated once it is transcribed. */
  readonly translates: boolean;
  /** Bytes that its sender stated. */
  readonly size: number;
  /** Bytes that are stored, or were until they were deleted. */
  readonly received: number;
  /** The most units that it may use. */
  readonly units: number;
  readonly keepDays: number;
  readonly createdAt: Date;
  /** End of the upload. */
  readonly expiresAt: Date;
  readonly transcriptionId: string | null;
  /** Its script, also where an earlier file brought it. */
  readonly scriptId: string | null;
  readonly failure: Failure | null;
  /** When it was done, failed or was canceled. */
  readonly endedAt: Date | null;
  /** Present only once all bytes are there. */
  readonly mediaId: string | null;
  readonly keptUntil: Date | null;
  readonly deletedAt: Date | null;
}

/** One request that writes a file. A later one takes its place, in whatever process. */
export interface FileWriter {
  readonly fileId: string;
  readonly writer: number;
  /** Complete parts; each has `filePartBytes`. */
  readonly parts: number;
  /** The beginning of the next part. */
  readonly tail: Uint8Array;
}

/** The addresses of files' scripts begin so; they open nothing. The media id follows. */
export const fileUrlStart = "urn:reelscript:file:";

/** Bytes of each part of a file but the last. */
export const filePartBytes = 1_048_576;

interface NewFile {
  readonly accountId: string;
  readonly slot: number;
  /** SHA-256 of the secret in the upload's address. */
  readonly tokenHash: Uint8Array;
  readonly name: string;
  readonly title: string;
  readonly languageHint: string | null;
  readonly translates: boolean;
  readonly size: number;
  /** Length that its sender states. */
  readonly seconds: number | null;
  readonly sha256: Uint8Array | null;
  readonly units: number;
  readonly keepDays: number;
  /** Style of the video that is made when the words are there. */
  readonly videoStyle: VideoStyleName | null;
  readonly expiresAt: Date;
  readonly now: Date;
}

interface FileBounds {
  /** Files of the account that are received or transcribed. */
  readonly mostAtATime: number;
  /** Bytes of all stored files of the account, as their senders stated them, and of all accounts. */
  readonly mostBytesOfAccount: number;
  readonly mostBytes: number;
  /** Bytes of media that the account may send in an hour, those that it hasn't sent of its files among them. */
  readonly mostBytesPerHour: number;
  readonly leastFreeBytes: number;
}

/** The facts about a file for the worker that transcribes it. */
interface ClaimedFile {
  readonly title: string;
  readonly size: number;
  readonly seconds: number | null;
  readonly sha256: Uint8Array | null;
  /** Units that are held for it. */
  readonly units: number;
}

/** A kept file that can be read part by part. */
export interface KeptFile {
  readonly id: string;
  readonly size: number;
  readonly keptUntil: Date;
}

/** Files of accounts' own, from their first byte until they are deleted. Nobody but their account finds them. */
export interface Files {
  /**
   * Makes room for a file. `tooMany` when the account has as many at a time as it may; `full` when the account, or all together,
   * have as many bytes; `spent` when the account would send more in this hour than it may; `noRoom` when the disk would have too
   * few left. No account passes its bounds, however many calls come at once.
   */
  begin(
    file: NewFile,
    bounds: FileBounds,
  ): Promise<
    | { readonly kind: "begun"; readonly file: StoredFile }
    | { readonly kind: "tooMany" }
    | { readonly kind: "full" }
    | { readonly kind: "noRoom" }
    /** Seconds until the hour is over. */
    | { readonly kind: "spent"; readonly retryAfter: number }
  >;
  find(accountId: string, fileId: string): Promise<StoredFile | undefined>;
  /** Those of the files that the account has. */
  findSome(accountId: string, fileIds: readonly string[]): Promise<readonly StoredFile[]>;
  /** The file with the secret of its address; `undefined` for accounts that are suspended. */
  findByToken(tokenHash: Uint8Array): Promise<StoredFile | undefined>;
  /** The newest first, at most 1,000. */
  list(accountId: string): Promise<readonly StoredFile[]>;
  /** Bytes of media that the account has sent in this hour, and seconds until the hour is over. */
  sentInHour(accountId: string, now: Date): Promise<{ readonly bytes: number; readonly secondsLeft: number }>;
  /**
   * Begins to write where the file ends; no earlier writer may write any more. `undefined` if it doesn't end at this byte, or isn't
   * received any more.
   */
  open(fileId: string, offset: number, now: Date): Promise<FileWriter | undefined>;
  /**
   * Stores the part after the writer's last one; the last part of all ends the file, which is then due. Returns the writer with it, and `undefined` if another one has taken its place
   * or left something there, or the file is gone. Throws `unavailable` when the bytes can't be stored.
   */
  append(writer: FileWriter, bytes: Uint8Array, now: Date): Promise<FileWriter | undefined>;
  /** Stores the beginning of the next part. False like `append`. */
  keepTail(writer: FileWriter, tail: Uint8Array, now: Date): Promise<boolean>;
  /** Forgets what was written after `to`, by the same writer, unless the file is complete. */
  rollBack(to: FileWriter): Promise<boolean>;
  /** Names a file of which all bytes are there by their hashes, so that it can be transcribed. `undefined` if some are missing. */
  complete(fileId: string, now: Date): Promise<StoredFile | undefined>;
  /** Files of which all bytes are there and that aren't transcribed yet, those of each account in their order. Some may have to be completed first. */
  due(limit: number, now: Date): Promise<readonly StoredFile[]>;
  /** Looks at the file again at this moment. */
  putOff(fileId: string, beginAt: Date): Promise<void>;
  /** Like `Transcriptions.request`; from then on the file belongs to the transcription. Throws `notFound` when it was deleted meanwhile. */
  request(fileId: string, request: TranscriptionRequest): Promise<TranscriptionOutcome>;
  /** Ends a file that no transcription has: done without a failure. Its bytes are deleted unless it is done and kept. */
  end(fileId: string, failure: Failure | null, now: Date): Promise<void>;
  /**
   * Deletes the bytes, and ends the upload or the transcription with the failure if there is one. `undefined` if the account has no
   * such file.
   */
  delete(accountId: string, fileId: string, failure: Failure, now: Date): Promise<StoredFile | undefined>;
  /** The file of a running transcription. */
  claimed(transcriptionId: string): Promise<ClaimedFile | undefined>;
  /** Returns held units of a running transcription until only so many are left. */
  holdOnly(transcriptionId: string, units: number): Promise<void>;
  /**
   * A part of the file of a running transcription, or of its translation, by its number from 0; `undefined` behind the last one. Throws `SentMediaAway` when it
   * can't be read now.
   */
  readPart(transcriptionId: string, number: number): Promise<Uint8Array | undefined>;
  /** The file of a script of the account, while it is kept. */
  keptOf(accountId: string, mediaId: string): Promise<KeptFile | undefined>;
  findKept(accountId: string, fileId: string): Promise<KeptFile | undefined>;
  /** A part of a kept file. Throws like `readPart`. */
  readKeptPart(fileId: string, number: number): Promise<Uint8Array | undefined>;
  /** Sets the title of a script of a file. False if the account has no such script. */
  rename(accountId: string, scriptId: string, title: string): Promise<boolean>;
}
