import { access, constants } from "node:fs/promises";
import path from "node:path";
import { startChild } from "./child.mjs";

export const startStandin = () => startChild("./standin-process.mjs");

/** A service of its own on a fresh database in `folder`, with an account and its key. */
export async function startService({ folder, standin, ...settings }) {
  const child = await startChild("./service-process.mjs", {
    dataDirectory: folder,
    standin: standin.opened,
    ...settings,
  });
  try {
    return { ...child, url: child.opened.url, ...(await child.call("createKey")) };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** POST to transcript. Throws unless the answer is a transcript. */
export async function transcribe({ url, key }, reel) {
  const response = await fetch(`${url}/api/v1/transcribe`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url: reel }),
  });
  const answer = await response.json();
  if (response.status !== 200) throw new Error(`transcribe answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

/** The decoders that can be had here, as the setting FFMPEG_PATH names them. */
export async function decodersHere() {
  const found = process.env.FFMPEG_PATH ?? (await findOnPath("ffmpeg"));
  return [
    ...(found && found !== "embedded" ? [{ name: "system ffmpeg", ffmpegPath: found, mostRatio: 1.25 }] : []),
    { name: "embedded ffmpeg", ffmpegPath: "embedded", mostRatio: 1.6 },
  ];
}

async function findOnPath(program) {
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
