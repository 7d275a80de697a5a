import { engagementRate, type Script } from "@reelscript/contract";
import type { ScriptRow } from "../ports.ts";

/** A script as its owner sees it; of a transcript longer than `mostCharacters` the beginning. */
export function describeScript({ id, transcript }: ScriptRow, mostCharacters = Number.POSITIVE_INFINITY): Script {
  const { reel, text, language, truncated, createdAt } = transcript;
  const shown = cut(text, mostCharacters);
  const rate = engagementRate(reel);
  return {
    id,
    reelUrl: reel.url,
    ...(reel.author.handle !== null && { account: reel.author.handle }),
    ...(reel.caption !== null && { caption: reel.caption }),
    transcript: shown,
    ...((truncated || shown !== text) && { truncated: true as const }),
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
