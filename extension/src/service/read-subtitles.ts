import { peopleBasePath } from "@reelscript/contract/values";
import { notConnected, toTrouble, Trouble } from "./call.ts";
import { readConnection } from "./connection.ts";

/** A script as SubRip subtitles, and the name that the service gives the file. Throws `Trouble`. */
export async function readSubtitles(id: string): Promise<{ readonly name: string; readonly text: string }> {
  const connection = await readConnection();
  if (connection === undefined) throw notConnected();
  const { baseUrl, token } = connection;
  try {
    const response = await fetch(`${baseUrl}${peopleBasePath}/scripts/${encodeURIComponent(id)}?format=srt`, {
      headers: { authorization: `Bearer ${token}` },
      credentials: "omit",
      redirect: "error",
    });
    if (!response.ok) throw new Trouble("unavailable", "The subtitles couldn't be loaded. Try again.");
    const named = /filename="([A-Za-z0-9._-]{1,200})"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
    return { name: named ?? "transcript.srt", text: await response.text() };
  } catch (error) {
    throw error instanceof TypeError
      ? new Trouble("unreachable", "Reelscript didn't answer. Try again in a minute.")
      : toTrouble(error);
  }
}
