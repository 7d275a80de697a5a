import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { findExecutable } from "@reelscript/whisper";
import type { Speech } from "../../src/ports.ts";
import { temporaryPlace } from "../harness/temporary-place.ts";

const run = promisify(execFile);

const filters = spawnSync("ffmpeg", ["-hide_banner", "-filters"], { encoding: "utf8" }).stdout ?? "";
/** Subtitled videos can be made here. */
export const canDraw = / ass +V->V /.test(filters);
/** The fonts of the image are here, too. */
export const hasFonts =
  canDraw && ["NotoSans-", "NotoSansDevanagari-", "NotoSansArabic-"].every((name) => fontList().includes(name));

function fontList(): string {
  return spawnSync("fc-list", { encoding: "utf8" }).stdout ?? "";
}

/**
 * A search path with ffmpeg and its limits, but without the program that makes it wait for everybody else: in tests, everybody
 * else computes.
 */
export async function impatientPath(folder: string): Promise<string> {
  for (const name of ["ffmpeg", "prlimit", "setpriv"]) {
    const program = await findExecutable(name, process.env["PATH"] ?? "");
    if (program !== undefined) await symlink(program, path.join(folder, name));
  }
  return folder;
}

/** For the name of a group of tests. */
export const skipNote = (isThere: boolean, what: string): string => (isThere ? "" : ` (skipped: there is no ${what})`);

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(path.join(temporaryPlace, "reelscript-clip-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A blue clip with a tone, made by the given options of ffmpeg's inputs and outputs. */
export const aClip = ({
  seconds = 4,
  size = "720x1280",
  rate = "30",
  color = "0x103060",
  sound = ["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`],
  codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"],
  name = "clip.mp4",
}: {
  readonly seconds?: number;
  readonly size?: string;
  readonly rate?: string;
  readonly color?: string;
  readonly sound?: readonly string[];
  readonly codecs?: readonly string[];
  readonly name?: string;
} = {}): Promise<Buffer> =>
  inFolder(async (folder) => {
    const picture = `color=c=${color}:size=${size}:rate=${rate}:duration=${seconds}`;
    await run("ffmpeg", ["-loglevel", "error", "-f", "lavfi", "-i", picture, ...sound, ...codecs, name], {
      cwd: folder,
    });
    return readFile(path.join(folder, name));
  });

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of a pixel, from 0 to 255. */
  readonly at: (x: number, y: number) => readonly [number, number, number];
}

/** The picture of a video at a second; `keepAs` writes it as PNG too. */
export const frameOf = (video: Uint8Array, second: number, keepAs?: string): Promise<Frame> =>
  inFolder(async (folder) => {
    await writeFile(path.join(folder, "video.mp4"), video);
    const one = ["-loglevel", "error", "-ss", String(second), "-i", "video.mp4", "-frames:v", "1"];
    if (keepAs !== undefined) await run("ffmpeg", [...one, "-y", keepAs], { cwd: folder });
    await run("ffmpeg", [...one, "-f", "rawvideo", "-pix_fmt", "rgb24", "frame"], { cwd: folder });
    const bytes = await readFile(path.join(folder, "frame"));
    const width = 1_080;
    const height = bytes.length / 3 / 1_080;
    return {
      width,
      height,
      at(x, y) {
        const offset = 3 * (y * width + x);
        return [bytes[offset]!, bytes[offset + 1]!, bytes[offset + 2]!];
      },
    };
  });

/** The streams of a video as ffmpeg prints them. */
export const describeVideoFile = (video: Uint8Array): Promise<string> =>
  inFolder(async (folder) => {
    await writeFile(path.join(folder, "video.mp4"), video);
    return run("ffmpeg", ["-hide_banner", "-i", "video.mp4"], { cwd: folder }).then(
      ({ stderr }) => stderr,
      (error: unknown) => (error as { readonly stderr: string }).stderr,
    );
  });

/** The raw packets of the sound, to see that they are the same ones. */
export const soundOf = (video: Uint8Array): Promise<string> =>
  inFolder(async (folder) => {
    await writeFile(path.join(folder, "video.mp4"), video);
    const { stdout } = await run(
      "ffmpeg",
      ["-loglevel", "error", "-i", "video.mp4", "-map", "0:a", "-c", "copy", "-f", "md5", "-"],
      { cwd: folder },
    );
    return stdout.trim();
  });

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly pixels: number;
}

/** The smallest box around the pixels that match; `undefined` if there are none. */
export function boxOf(frame: Frame, matches: (red: number, green: number, blue: number) => boolean): Box | undefined {
  let left = Infinity;
  let right = -1;
  let top = Infinity;
  let bottom = -1;
  let pixels = 0;
  for (let y = 0; y < frame.height; y += 1)
    for (let x = 0; x < frame.width; x += 1)
      if (matches(...frame.at(x, y))) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
        pixels += 1;
      }
  return pixels === 0 ? undefined : { left, right, top, bottom, pixels };
}

export const isWhite = (red: number, green: number, blue: number): boolean => Math.min(red, green, blue) > 200;
export const isYellow = (red: number, green: number, blue: number): boolean => red > 200 && green > 150 && blue < 110;

/** Speech whose words are spoken one after another, each for half a second. */
export function speechOf(text: string, language: string): Partial<Speech> {
  const words = text.split(" ").map((word, index) => ({
    start: index / 2 + 0.2,
    end: index / 2 + 0.6,
    text: index === 0 ? word : ` ${word}`,
    probability: 0.9,
  }));
  return {
    text,
    language,
    segments: [{ start: 0.2, end: words.at(-1)!.end, text }],
    words,
    seconds: words.length / 2 + 1,
    speechSeconds: words.length / 2,
  };
}
