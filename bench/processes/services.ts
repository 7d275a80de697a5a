import { access, constants } from "node:fs/promises";
import path from "node:path";
import { type Child, startChild } from "./child.ts";
import type { ServiceMethods, ServiceProcessSettings } from "./service-process.ts";
import type { PublishedFile, StandinMethods } from "./standin-process.ts";

export type Standin = Child<StandinMethods>;
export type Service = Child<ServiceMethods> & {
  readonly url: string;
  readonly key: string;
  readonly accountId: string;
};

export const startStandin = (): Promise<Standin> => startChild<StandinMethods>("./standin-process.js");

/** Publishes a media file as a reel that nobody asked for yet; returns its address. */
export const publish = (standin: Standin, { path: file, seconds, language, text }: PublishedFile): Promise<string> =>
  standin.call("publish", { path: file, seconds, language, text });

/** A service of its own on a fresh database in `folder`, with an account and its key. */
export async function startService({
  folder,
  standin,
  ...settings
}: Omit<ServiceProcessSettings, "dataDirectory" | "standin"> & {
  readonly folder: string;
  readonly standin: Pick<Standin, "opened">;
}): Promise<Service> {
  const child = await startChild<ServiceMethods>("./service-process.js", {
    dataDirectory: folder,
    standin: standin.opened,
    ...settings,
  });
  try {
    return { ...child, url: child.opened.url!, ...(await child.call("createKey")) };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** POST to transcript. Throws unless the answer is a transcript. */
export async function transcribe(
  { url, key }: Pick<Service, "url" | "key">,
  reel: string,
): Promise<{ transcript: string; cached: boolean }> {
  const response = await fetch(`${url}/api/v1/transcribe`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url: reel }),
  });
  const answer = (await response.json()) as { transcript: string; cached: boolean };
  if (response.status !== 200) throw new Error(`transcribe answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

export const isReady = ({ url }: { readonly url?: string | undefined }): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

export interface Decoder {
  readonly name: string;
  readonly ffmpegPath: string;
  /** A whole request's time to that of the bare recognizer. */
  readonly mostRatio: number;
}

/** The decoders that can be had here, as the setting FFMPEG_PATH names them. */
export async function decodersHere(): Promise<Decoder[]> {
  const found = process.env.FFMPEG_PATH ?? (await findOnPath("ffmpeg"));
  return [
    ...(found && found !== "embedded" ? [{ name: "system ffmpeg", ffmpegPath: found, mostRatio: 1.25 }] : []),
    { name: "embedded ffmpeg", ffmpegPath: "embedded", mostRatio: 1.6 },
  ];
}

export async function findOnPath(program: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const file = path.join(folder, program);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}
