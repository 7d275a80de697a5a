import { videoLimits } from "@reelscript/contract";
import { RenderError } from "../../ports/video-renderer.ts";

/** A cover is a picture that is attached, and not a video. */
export function streamsIn(text: string): {
  readonly hasPicture: boolean;
  readonly sounds: readonly { readonly stream: number; readonly codec: string }[];
} {
  const streams = text.split("\n").map((line) => streamLine.exec(line) ?? []);
  return {
    hasPicture: streams.some(
      ([, , kind, about = ""]) => kind === "Video" && !about.startsWith("none") && !about.includes("(attached pic)"),
    ),
    sounds: streams.flatMap(([, stream, kind, about = ""]) => {
      const [codec = "none"] = /^\w+/.exec(about) ?? [];
      return kind === "Audio" && codec !== "none" ? [{ stream: Number(stream), codec }] : [];
    }),
  };
}

const streamLine = /^\[info\] {1,8}Stream #0:(\d{1,4})[^ ]{0,60} (Video|Audio): (.{0,400})/;

const longestLine = 4_096;
const keptMessages = 20;
const missingLetter = /failed to find any fallback with glyph 0x([\dA-F]+)/i;

/** Follows what ffmpeg prints. Bounded: a hostile file can make it print without end. */
export class RenderReport {
  readonly #seconds: number;
  readonly #onProgress: (share: number) => void;
  readonly #messages: string[] = [];
  readonly #utf8 = new TextDecoder();
  #progressLine = "";
  #messageLine = "";
  #frames = 0;
  #written = 0;
  lacksLetters = false;

  constructor(seconds: number, onProgress: (share: number) => void) {
    this.#seconds = seconds;
    this.#onProgress = onProgress;
  }

  addProgress(chunk: Uint8Array): void {
    const lines = (this.#progressLine + this.#utf8.decode(chunk, { stream: true })).split("\n");
    this.#progressLine = (lines.pop() ?? "").slice(0, longestLine);
    for (const line of lines) {
      const [, name, value] = /^(frame|out_time_us)= *(\d+)/.exec(line) ?? [];
      if (name === "frame") this.#frames = Number(value);
      if (name !== "out_time_us") continue;
      this.#written = Number(value) / 1_000_000;
      this.#onProgress(Math.min(1, this.#written / Math.max(1, this.#seconds)));
    }
  }

  addMessages(printed: string): void {
    const lines = (this.#messageLine + printed).split("\n");
    this.#messageLine = (lines.pop() ?? "").slice(0, longestLine);
    for (const line of lines) {
      const [, glyph] = missingLetter.exec(line.slice(0, longestLine)) ?? [];
      if (glyph !== undefined && isVisible(Number.parseInt(glyph, 16))) this.lacksLetters = true;
      if (!/\[(warning|error|fatal)\]/.test(line)) continue;
      this.#messages.push(line.slice(0, 300));
      if (this.#messages.length > keptMessages) this.#messages.shift();
    }
  }

  /** Throws `RenderError` unless there is a whole video. */
  judge(code: number | null, signal: NodeJS.Signals | null): void {
    const complaints = this.#messages.join("\n").replaceAll(/[^\x20-\x7e\n]/g, "?");
    // The system ends a program so that uses more processor time than allowed.
    if (signal === "SIGKILL") throw new RenderError("tookTooLong", "ffmpeg was ended by the system.");
    if (signal === "SIGXFSZ" || /File too large/.test(complaints))
      throw new RenderError("tooLarge", "The video would be larger than allowed.");
    if (signal !== null) throw new RenderError("broke", `ffmpeg was ended by ${signal}. ${complaints}`);
    if (/Cannot allocate memory/.test(complaints)) throw new RenderError("tookTooMuchMemory", complaints);
    if (code !== 0 && (this.#frames === 0 || /Error while decoding|Invalid data/.test(complaints)))
      throw new RenderError("noPicture", complaints);
    if (code !== 0) throw new RenderError("broke", `ffmpeg ended with ${code}. ${complaints}`);
    if (this.#frames === 0) throw new RenderError("noPicture", `No picture could be decoded. ${complaints}`);
    if (this.#written > videoLimits.longestSeconds + 0.5)
      throw new RenderError("tooLong", "The video is longer than its container states.");
  }
}

/** Marks that only direct or join letters need no font. */
const isVisible = (codePoint: number): boolean =>
  codePoint <= 0x10_ff_ff && !/^[\p{Default_Ignorable_Code_Point}\s]$/u.test(String.fromCodePoint(codePoint));
