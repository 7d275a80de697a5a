import type { WhisperErrorCode } from "../whisper-error.ts";
import { type Deferred, deferred } from "./deferred.ts";

const headCharacters = 128 * 1024;
const keptComplaints = 40;
const lineCharacters = 2048;
/** Speech coders need at least five times as much; a file that states less states nonsense. */
const leastBitsPerSecond = 100;

/** Reads what ffmpeg prints while it works. Bounded: a hostile file can make ffmpeg print without end. */
export class FfmpegReport {
  readonly #bytes: number;
  readonly #errors: string[] = [];
  readonly #complaints: string[] = [];
  #head = "";
  #unfinishedLine = "";
  #errorCount = 0;
  readonly #mapped: Deferred<void> = deferred();
  #isMapped = false;

  /** `bytes`: of the file. */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  add(printed: string): void {
    const lines = (this.#unfinishedLine + printed).split("\n");
    this.#unfinishedLine = (lines.pop() ?? "").slice(0, lineCharacters);
    for (const line of lines) this.#addLine(line.slice(0, lineCharacters));
  }

  /** True when ffmpeg has printed everything that the container says about its streams. */
  get isComplete(): boolean {
    return this.#isMapped;
  }

  /** Resolves when that is so, or nothing more will be printed. */
  get mapped(): Promise<void> {
    return this.#mapped.promise;
  }

  end(): void {
    this.#mapped.resolve();
  }

  /** Number of the stream that players take, the first that the file calls default; `undefined` for the first audio track. */
  get defaultStream(): number | undefined {
    const [input = ""] = this.#head.split("[info] Stream mapping:");
    const tracks = [...input.matchAll(/^\[info\] +Stream #0:(\d+)\S*: Audio: (.*)$/gm)];
    const readable = tracks.filter(([, , description = ""]) => !description.startsWith("none"));
    const track = readable.find(([, , description = ""]) => description.includes("(default)")) ?? readable[0];
    return track === undefined || track === tracks[0] ? undefined : Number(track[1]);
  }

  /** Start of the earliest track by the file's own times, which ffmpeg counts as 0. */
  get startSeconds(): number {
    return Number(/^\[info\] +Duration: [^,]*, start: (-?\d+(?:\.\d+)?),/m.exec(this.#head)?.[1] ?? 0);
  }

  get #audioCodec(): string | undefined {
    const codec = /^\[info\] +Stream #0:\d+\S*: Audio: (\w+)/m.exec(this.#head)?.[1];
    return codec === "none" ? undefined : codec;
  }

  /** Duration that the container states, `null` if it is missing or nonsense. */
  get durationSeconds(): number | null {
    const [, hours, minutes, seconds] = /^\[info\] +Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)/m.exec(this.#head) ?? [];
    if (seconds === undefined) return null;
    const duration = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return (this.#bytes * 8) / duration < leastBitsPerSecond ? null : duration;
  }

  /** Why not one sample came out. */
  get failure(): { readonly code: WhisperErrorCode; readonly reason: string } {
    const complaints = this.#complaints.join("\n");
    const audioType = /Audio object type (\d+)/.exec(complaints)?.[1];
    // Noise in the data can be taken for anything; what was declared and is not known keeps the decoder from opening.
    const isClosed = /opening decoder/.test(complaints);
    if (isClosed && audioType !== undefined)
      return { code: "unsupportedCodec", reason: `AAC audio object type ${audioType}` };
    const audioCodec = this.#audioCodec;
    const refusedCodecs = [...complaints.matchAll(/Codec \((\w+)\) not on whitelist/g)].map((match) => match[1]);
    if (
      noDecoder.test(complaints) ||
      (isClosed && notImplemented.test(complaints)) ||
      refusedCodecs.includes(audioCodec ?? "")
    )
      return { code: "unsupportedCodec", reason: `audio codec ${audioCodec ?? "unknown"}` };

    if (/matches no streams|does not contain any stream/.test(complaints))
      return { code: "noAudioTrack", reason: "no audio track" };

    const reason = this.#errors.at(-1) ?? "no reason given";
    if (/Cannot allocate memory|failed to allocate/i.test(complaints)) return { code: "memory", reason };
    return { code: "undecodable", reason };
  }

  /** True if errors took more than a tenth of the duration that the container states. */
  isMostlyLost(decodedSeconds: number): boolean {
    const duration = this.durationSeconds;
    return this.#errorCount > 0 && duration !== null && decodedSeconds < 0.9 * duration;
  }

  #addLine(line: string): void {
    if (this.#head.length < headCharacters) this.#head += `${line}\n`;
    if (line.startsWith("[info] Stream mapping:")) {
      this.#isMapped = true;
      this.#mapped.resolve();
    }
    const [, level, message] = leveledLine.exec(line) ?? [];
    if (level === undefined || message === undefined) return;
    if (this.#complaints.length < keptComplaints) this.#complaints.push(printable(message));
    if (level === "warning" || message.includes("not on whitelist")) return;
    this.#errorCount += 1;
    if (this.#errors.length < keptComplaints) this.#errors.push(printable(message));
  }
}

const leveledLine = /^(?:\[[^\]]* @ (?:0x)?[0-9a-f]+\] )*\[(warning|error|fatal|panic)\] (.*)$/;
const noDecoder = /no decoder found|Decoder \(codec [^)]*\) not found/;
const notImplemented = /not implemented|Not yet implemented/;

/** Without control characters and without the file's own path. */
function printable(message: string): string {
  return message
    .replaceAll(/[^\x20-\x7e]/g, "?")
    .replaceAll(/file:\S+|\/\S+/g, "the file")
    .slice(0, 200);
}
