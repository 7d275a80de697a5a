import { engagementRate, listedTranscriptLength, type Script } from "@reelscript/contract";
import type { Scripts, ScriptRow } from "../../ports.ts";
import type { Handler } from "../../run.ts";

export const search =
  ({ scripts }: { readonly scripts: Scripts }): Handler<"searchMyScripts"> =>
  async ({ input, caller }) => {
    const { query, account, sort, limit } = input;
    const found = await scripts.search(caller.account.id, { query, handle: account, sort, limit });
    return { scripts: found.scripts.map(describe), total: found.total };
  };

function describe({ id, transcript }: ScriptRow): Script {
  const { reel, text, language, truncated, createdAt } = transcript;
  const listed = cut(text, listedTranscriptLength);
  const rate = engagementRate(reel);
  return {
    id,
    reelUrl: reel.url,
    ...(reel.author.handle !== null && { account: reel.author.handle }),
    ...(reel.caption !== null && { caption: reel.caption }),
    transcript: listed,
    ...((truncated || listed !== text) && { truncated: true as const }),
    language,
    ...(reel.views !== null && { views: reel.views }),
    ...(reel.likes !== null && { likes: reel.likes }),
    ...(reel.comments !== null && { comments: reel.comments }),
    ...(rate !== null && { engagementRate: rate }),
    ...(reel.postedAt !== null && { postedAt: reel.postedAt }),
    transcribedAt: createdAt.toISOString(),
  };
}

/** At most `length` characters, never half of a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? length - 1 : length);
}
