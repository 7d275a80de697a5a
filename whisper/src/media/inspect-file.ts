import { open } from "node:fs/promises";
import { WhisperError } from "../whisper-error.ts";
import { type Container, sniffedBytes, sniffContainer } from "./sniff-container.ts";

export interface InspectedFile {
  readonly path: string;
  readonly bytes: number;
  readonly container: Container;
}

/** Looks at a file before any decoder sees it. Throws `WhisperError`. */
export async function inspectFile(path: string, maxBytes: number): Promise<InspectedFile> {
  const file = await open(path, "r").catch((error: unknown) => {
    throw new WhisperError("undecodable", "The media file cannot be opened.", { cause: error });
  });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new WhisperError("undecodable", "The media is not a regular file.");
    if (stat.size === 0) throw new WhisperError("undecodable", "The media file is empty.");
    if (stat.size > maxBytes)
      throw new WhisperError("tooLarge", `The media file has ${stat.size} bytes; at most ${maxBytes} are read.`);

    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    const container = sniffContainer(buffer.subarray(0, bytesRead));
    if (container === null)
      throw new WhisperError("unsupportedContainer", "The file is not an MP4, WebM, MP3, Ogg, WAV or FLAC.");

    return { path, bytes: stat.size, container };
  } finally {
    await file.close();
  }
}
