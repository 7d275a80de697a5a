import { listedTranscriptLength, type Script } from "@reelscript/contract";
import { readCursor, writeCursor } from "../../cursor.ts";
import type { Scripts, ScriptRow } from "../../ports.ts";
import type { Handler } from "../../run.ts";
import { mostTerms, searchTermsOf, type SearchTerm } from "../../search-terms.ts";
import { describeScript } from "./describe-script.ts";
import { saidAt } from "./said-at.ts";
import { snippetOf } from "./snippet-of.ts";

export const search =
  ({ scripts }: { readonly scripts: Scripts }): Handler<"searchMyScripts"> =>
  async ({ input, caller }) => {
    const { query, account, sort, limit, cursor } = input;
    const handle = account?.replace(/^@/, "").toLowerCase();
    const scope = ["scripts", caller.account.id, sort, query ?? "", handle];
    const after = readCursor(scope, cursor);
    const found = await scripts.search(caller.account.id, { query, handle: account, sort, limit, after });
    const terms = query === undefined ? [] : searchTermsOf(query).slice(0, mostTerms);
    return {
      scripts: found.scripts.map((row) => ({
        ...describeScript(row, listedTranscriptLength),
        ...(terms.length > 0 && whereFound(row, terms)),
      })),
      total: found.total,
      ...(found.next && { nextCursor: writeCursor(scope, found.next) }),
    };
  };

/** Of transcript and caption what holds more of the terms; the transcript when both do. */
function whereFound({ transcript }: ScriptRow, terms: readonly SearchTerm[]): Pick<Script, "snippet" | "at"> {
  const said = snippetOf(transcript.text, terms);
  const written = said?.found === terms.length ? undefined : snippetOf(transcript.reel.caption ?? "", terms);
  if (written !== undefined && written.found > (said?.found ?? 0)) return { snippet: [...written.parts] };
  if (said === undefined) return {};
  const at = saidAt(transcript.segments, transcript.text, said.at);
  return { snippet: [...said.parts], ...(at !== undefined && { at }) };
}
