import { call } from "../../api/call.ts";
import { queryClient } from "../../api/query-client.ts";
import { operationQuery } from "../../api/use-operation.ts";
import { reelKey } from "./reel-links.ts";

const wordsToSearch = 8;

/** Where a reel that was just transcribed is in the library: with the newest, or, when it was there before, by its words. */
export async function findScript(url: string, transcript: string): Promise<string | undefined> {
  const resolved = queryClient.getQueryData(operationQuery("resolveReel", { url }).queryKey);
  const keys = new Set([reelKey(url), ...(resolved ? [reelKey(resolved.url)] : [])]);
  const among = async (input: Parameters<typeof call<"searchMyScripts">>[1]): Promise<string | undefined> => {
    const { scripts } = await call("searchMyScripts", { limit: 50, ...input });
    return scripts.find(({ reelUrl }) => keys.has(reelKey(reelUrl)))?.id;
  };
  const newest = await among({});
  if (newest !== undefined) return newest;
  const words = transcript.split(/\s+/).slice(0, wordsToSearch).join(" ").replaceAll('"', "");
  if (words !== "") return among({ query: words });
  const account = resolved?.author.handle;
  return account ? among({ account }) : undefined;
}
