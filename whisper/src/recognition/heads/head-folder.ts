import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { unavailable } from "../../whisper-error.ts";

/** Larger than any head's file should be, unpacked. */
const mostBytes = 64 * 1024 ** 2;
const digest = z.string().regex(/^[0-9a-f]{64}$/u);

const manifest = z.object({
  format: z.literal(1),
  language: z.string().regex(/^[a-z]{2,3}$/u),
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,39}$/u),
  /** SHA-256 of the encoder's file: states of another encoder mean something else. */
  encoder: digest,
  states: z.int().positive().max(4096),
  script: z.string().regex(/^[A-Za-z_]{2,40}$/u),
  /** Ends a sentence. */
  sentenceEnd: z.string().min(1).max(4),
  detection: z.object({
    /** Languages that are counted with it where the model can't tell them apart. */
    with: z.array(z.string().regex(/^[a-z]{2,3}$/u)).max(8),
    /** Shares of probability that all of them together need, by themselves and where a hint names the language. */
    least: z.number().min(0).max(1),
    leastWithHint: z.number().min(0).max(1),
  }),
  search: z.object({
    /** Factor of the natural logarithm of a word's probability. */
    wordWeight: z.number().min(0).max(20),
    /** Added for each word. */
    wordReward: z.number().min(-50).max(50),
    /** Added where a word follows another one without a sign of their border. */
    joinReward: z.number().min(-50).max(0),
    /** Paths this much worse than the best one are dropped, and all but so many. */
    beam: z.number().positive().max(200),
    tokens: z.int().positive().max(20_000),
    /** Frames in a row that are surely blank, by this logarithm, count as one. */
    sureBlank: z.number().max(0),
  }),
  /** Mean difference per unit between the path of words and the best path without words below which nothing was recognized. */
  lowestGap: z.number(),
  files: z.record(z.string().regex(/^[a-z][a-z0-9.-]*$/u), digest),
});

/** Describes a head and its use; see `whisper/models/heads/`. */
export type HeadManifest = z.infer<typeof manifest>;

/** Reads the files of a head's directory, each of which has the checksum that its manifest states. */
export class HeadFolder {
  readonly directory: string;
  readonly manifest: HeadManifest;

  private constructor(directory: string, read: HeadManifest) {
    this.directory = directory;
    this.manifest = read;
  }

  /** Throws `WhisperError` "unavailable". */
  static async open(directory: string): Promise<HeadFolder> {
    const file = path.join(directory, "head.json");
    const text = await readFile(file, "utf8").catch((error: unknown) => {
      throw unavailable(`The head's file ${file} cannot be read.`, error);
    });
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch (error) {
      throw unavailable(`The head's file ${file} is not JSON.`, error);
    }
    const read = manifest.safeParse(json);
    if (read.data) return new HeadFolder(directory, read.data);
    throw unavailable(`The head's file ${file} is not as it should be: ${z.prettifyError(read.error!)}`);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.manifest.files, name);
  }

  /** A file's bytes. Throws `WhisperError` "unavailable" where it is missing, too large or another one than it was. */
  async read(name: string): Promise<Uint8Array> {
    const file = path.join(this.directory, name);
    const bytes = await readFile(file).catch((error: unknown) => {
      throw unavailable(`The head's file ${file} cannot be read.`, error);
    });
    const isRight = createHash("sha256").update(bytes).digest("hex") === this.manifest.files[name];
    if (isRight && bytes.length <= mostBytes) return bytes;
    throw unavailable(`The head's file ${file} has another checksum than its head.json says, or is too large.`);
  }

  /** The unpacked bytes of a file of gzip. */
  async unpack(name: string): Promise<Uint8Array> {
    const packed = await this.read(name);
    try {
      return gunzipSync(packed, { maxOutputLength: mostBytes });
    } catch (error) {
      throw unavailable(`The head's file ${path.join(this.directory, name)} cannot be unpacked.`, error);
    }
  }

  /** A file's JSON as a schema reads it. */
  async json<Value>(name: string, schema: z.ZodType<Value>): Promise<Value> {
    const file = path.join(this.directory, name);
    try {
      return schema.parse(JSON.parse(Buffer.from(await this.read(name)).toString("utf8")));
    } catch (error) {
      if (error instanceof z.ZodError || error instanceof SyntaxError)
        throw unavailable(`The head's file ${file} is not as it should be: ${error.message.slice(0, 500)}`, error);
      throw error;
    }
  }
}

/** Throws `WhisperError` "unavailable" unless a head belongs to the encoder in `file`. */
export async function checkEncoder({ directory, manifest: { encoder } }: HeadFolder, file: string): Promise<void> {
  const actual = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  if (actual === encoder) return;
  throw unavailable(`The head in ${directory} was trained for another encoder than ${file}.`);
}
