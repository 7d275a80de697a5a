import type * as z from "zod";
import { setImmediate } from "node:timers/promises";
import {
  ServiceError,
  dayMilliseconds,
  listedTranscriptLength,
  mostHits,
  restorableDays,
  type Script,
  type operations,
} from "@reelscript/contract";
import { csvHead, scriptCsvColumns } from "@reelscript/contract/values";
import { readCursor, writeCursor } from "../../describe/cursor.ts";
import { describeScript } from "../../describe/describe-script.ts";
import { describeDone, textOnly } from "../../describe/describe-translation.ts";
import type {
  Accounts,
  DeletedScripts,
  FoundScripts,
  LongWork,
  ScriptSearch,
  Scripts,
  Segment,
  TablePosition,
  Translations,
  WordStart,
} from "../../ports.ts";
import type { FairLine } from "../../rules/fair-line.ts";
import type { AskPlatform } from "../../run/ask-platform.ts";
import { Streamed, type Handler } from "../../run/handler.ts";
import { ignoredParts, mostTerms, searchTermsOf } from "../../search/search-terms.ts";
import { doubtfulWords, otherQuery } from "./other-query.ts";
import { snippetOf, termToFind, type TermToFind } from "./snippet-of.ts";

type SearchCall = Parameters<Handler<"searchMyScripts">>[0];

interface ScriptList {
  readonly scripts: Script[];
  readonly total: number;
  readonly ignored?: string[];
  readonly instead?: string;
  readonly unknownIds?: string[];
  readonly nextCursor?: string;
}

interface SearchNeeds extends CsvNeeds {
  readonly translations: Pick<Translations, "list" | "texts">;
  readonly deletedScripts: DeletedScripts;
  readonly askPlatform: AskPlatform;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
}

/**
 * One route with several handlers: `url` asks for the script of a reel, `ids` for these scripts, `deleted` for those that can be
 * restored, and everything else searches.
 */
export function searchMyScripts(needs: SearchNeeds): Handler<"searchMyScripts"> {
  const ofReel = createScriptOfReel(needs);
  const byIds = createScriptsByIds(needs);
  const matches = createFoundScripts(needs);
  const deleted = createDeletedList(needs);
  return async (call) => {
    if (call.form === "csv") return scriptsCsv(needs, call.caller.account.id, filterOf(call.input));
    if (call.input.deleted) return deleted(call);
    const { ids, url } = call.input;
    if (url !== undefined) {
      refuseFilters(call.input, "url");
      return ofReel(call, url);
    }
    if (ids !== undefined) {
      refuseFilters(call.input, "ids");
      return byIds(call, ids);
    }
    return matches(call);
  };
}

/** Throws `invalidRequest` for filters, which would be ignored beside a field that names scripts. */
function refuseFilters(input: SearchCall["input"], beside: "ids" | "url"): void {
  const { deleted: _deleted, sort: _sort, limit: _limit, cursor: _cursor, ids, url, ...filters } = input;
  const others = { ...filters, ...(beside === "ids" ? { url } : { ids }) };
  for (const [name, value] of Object.entries(others))
    if (value !== undefined)
      throw new ServiceError("invalidRequest", `\`${name}\`: can't be combined with \`${beside}\`.`);
}

/** The caller's script of one reel, whole. A share link is followed to find out which reel it is. */
const createScriptOfReel =
  ({ scripts, translations, askPlatform }: SearchNeeds) =>
  async ({ caller, signal, whileWaiting }: SearchCall, url: string): Promise<ScriptList> => {
    const reel = await askPlatform.locate(url, { caller, signal, whileWaiting });
    const rows = await scripts.findOfReels(caller.account.id, reel.platform, [reel.mediaId]);
    return readWhole(
      { scripts, translations },
      caller.account.id,
      rows.map(({ id }) => id),
    );
  };

/** The scripts of these ids, separated by commas, whole. */
const createScriptsByIds =
  ({ scripts, translations }: SearchNeeds) =>
  ({ caller }: SearchCall, ids: string): Promise<ScriptList> =>
    readWhole({ scripts, translations }, caller.account.id, ids.split(","));

/** One page of the library: all scripts, or those that match. */
const createFoundScripts =
  ({ scripts, baseUrl }: SearchNeeds) =>
  async ({ input, caller }: SearchCall): Promise<ScriptList> => {
    const { limit, cursor } = input;
    const scope = scopeOf(input, caller.account.id);
    const after = readCursor(scope, cursor);
    const { page, instead } = await searchOrSimilar(scripts, caller.account.id, { ...searchOf(input), limit, after });
    const query = instead ?? input.query;
    const ignored = query === undefined ? [] : ignoredParts(query).slice(0, mostIgnored);
    const terms = query === undefined ? [] : searchTermsOf(query).slice(0, mostTerms).map(termToFind);
    const described: Script[] = [];
    for (const row of page.scripts) {
      // Fifty long texts take a while, so others get a turn in between.
      await setImmediate();
      described.push({
        ...describeScript(row, listedTranscriptLength),
        ...(terms.length > 0 && whereFound(row, terms, baseUrl())),
      });
    }
    return {
      scripts: described,
      total: page.total,
      ...(ignored.length > 0 && { ignored }),
      ...(instead !== undefined && { instead }),
      ...(page.next && { nextCursor: writeCursor(scope, page.next) }),
    };
  };

/** A search; where nothing matches, one for similar words that the library has. */
async function searchOrSimilar(
  scripts: Scripts,
  accountId: string,
  search: ScriptSearch,
): Promise<{ readonly page: FoundScripts; readonly instead?: string }> {
  const page = await scripts.search(accountId, search);
  if (page.total > 0 || search.query === undefined) return { page };
  const words = doubtfulWords(search.query);
  if (words.length === 0) return { page };
  const instead = otherQuery(search.query, await scripts.similarWords(accountId, words));
  if (instead === undefined) return { page };
  const similar = await scripts.search(accountId, { ...search, query: instead });
  return similar.total > 0 ? { page: similar, instead } : { page };
}

/**
 * Reads the filter of a file, which contains all matches. Throws `invalidRequest` for fields that would select other
 * scripts.
 */
function filterOf({ ids, url, deleted, ...filter }: SearchCall["input"]): SearchCall["input"] {
  for (const [name, value] of Object.entries({ ids, url, deleted }))
    if (value !== undefined && value !== false)
      throw new ServiceError("invalidRequest", `\`${name}\`: can't be combined with format=csv.`);
  return filter;
}

/** Scripts that are in memory at a time. */
const pageLength = 100;

export interface CsvNeeds {
  readonly accounts: Accounts;
  readonly scripts: Scripts;
  readonly translations: Pick<Translations, "texts">;
  readonly longWork: LongWork;
  readonly exportLine: FairLine;
}

/** All scripts that a search finds as a table, sent page by page while it is read. Throws as `exportLine` does. */
export async function scriptsCsv(needs: CsvNeeds, accountId: string, filter: ScriptFilter): Promise<Streamed> {
  const leave = await needs.exportLine.enter(accountId);
  return new Streamed(linesOf(needs, accountId, filter), "scripts", leave);
}

async function* linesOf(
  { accounts, scripts, translations, longWork }: CsvNeeds,
  accountId: string,
  filter: ScriptFilter,
): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(csvHead(scriptCsvColumns));
  let position: TablePosition | undefined;
  do {
    const page = await scripts.table(accountId, { ...searchOf(filter), limit: pageLength }, position);
    const texts = await translations.texts(
      accountId,
      page.scripts.map(({ id }) => id),
    );
    const rows = page.scripts.map((script) => ({ script, translation: texts.get(script.id) }));
    if (rows.length > 0) yield await longWork("writeScriptLines", rows, accountId);
    position = page.next;
    // A library of short scripts is read without a pause otherwise.
    await setImmediate();
  } while (position !== undefined);
  // Lines are missing then, and the file must not look whole.
  if ((await accounts.find(accountId)) === undefined)
    throw new ServiceError("unauthorized", "The account was deleted while its scripts were exported.");
}

/** Lists deleted scripts, each with the moment until which it can be restored. */
const createDeletedList =
  ({ deletedScripts }: SearchNeeds) =>
  async ({ input, caller }: SearchCall): Promise<ScriptList> => {
    const { limit, cursor, deleted: _, sort, ...narrowing } = input;
    const [wrong] = Object.entries({ ...narrowing, sort: sort === "date" ? undefined : sort }).find(
      ([, value]) => value !== undefined,
    ) ?? [undefined];
    if (wrong !== undefined)
      throw new ServiceError("invalidRequest", `\`${wrong}\`: can't be combined with \`deleted\`.`);
    const scope = ["deleted-scripts", caller.account.id];
    const page = await deletedScripts.list(caller.account.id, { limit, after: readCursor(scope, cursor) });
    const described: Script[] = [];
    for (const row of page.scripts) {
      await setImmediate();
      described.push({
        ...describeScript(row, listedTranscriptLength),
        deletedAt: row.deletedAt.toISOString(),
        restorableUntil: new Date(row.deletedAt.getTime() + restorableDays * dayMilliseconds).toISOString(),
      });
    }
    return {
      scripts: described,
      total: page.total,
      ...(page.next && { nextCursor: writeCursor(scope, page.next) }),
    };
  };

/** The list that a cursor belongs to. */
const scopeOf = (input: SearchCall["input"], accountId: string) => [
  "scripts",
  accountId,
  input.sort,
  input.query ?? "",
  input.account?.replace(/^@/, "").toLowerCase(),
  ...(input.language || input.length ? [input.language, input.length] : []),
  ...(input.platform ? [input.platform] : []),
  ...narrowingOf(input),
];

/** Nothing for a list without such filters, so that its cursors stay valid. */
const narrowingOf = (input: SearchCall["input"]): string[] => {
  const { tag, postedAfter, postedBefore, transcribedAfter, transcribedBefore } = input;
  const parts = [tag?.toLowerCase(), postedAfter, postedBefore, transcribedAfter, transcribedBefore];
  return parts.some((part) => part !== undefined) ? parts.map((part) => part ?? "") : [];
};

/** Whole scripts in the order of their ids; those of other accounts are unknown. */
async function readWhole(
  { scripts, translations }: Pick<SearchNeeds, "scripts" | "translations">,
  accountId: string,
  ids: readonly string[],
): Promise<ScriptList> {
  const whole: Script[] = [];
  const unknownIds: string[] = [];
  const requested = new Set(ids.map((id) => id.trim()));
  const translationsById = await translations.list(accountId, [...requested]);
  for (const id of requested) {
    const script = await scripts.findUntimed(accountId, id);
    // A long text takes a while, so others get a turn in between.
    await setImmediate();
    if (script === undefined) {
      unknownIds.push(id);
      continue;
    }
    const translation = translationsById.get(script.id);
    whole.push({ ...describeScript(script), ...(translation && { translation: textOnly(describeDone(translation)) }) });
  }
  return { scripts: whole, total: whole.length, ...(unknownIds.length > 0 && { unknownIds }) };
}

const mostIgnored = 10;

/** The snippet comes from the transcript or the caption, whichever holds more of the terms; from the transcript on a tie. */
function whereFound(
  { id, transcript, wordStarts, later }: FoundScripts["scripts"][number],
  terms: readonly TermToFind[],
  baseUrl: string,
): Pick<Script, "snippet" | "at" | "atUrl" | "hits"> {
  const saidFirst = snippetOf(transcript.text, terms);
  const saidLater =
    later === undefined || saidFirst?.termCount === terms.length ? undefined : snippetOf(later.text, terms);
  const isLater = saidLater !== undefined && saidLater.termCount > (saidFirst?.termCount ?? 0);
  const spokenSnippet = isLater ? saidLater : saidFirst;
  const captionSnippet =
    spokenSnippet?.termCount === terms.length ? undefined : snippetOf(transcript.reel.caption ?? "", terms);
  if (captionSnippet !== undefined && captionSnippet.termCount > (spokenSnippet?.termCount ?? 0))
    return { snippet: [...captionSnippet.parts] };
  if (spokenSnippet === undefined) return {};
  const text = isLater ? (later?.text ?? "") : transcript.text;
  const secondOf = isLater ? () => later?.at ?? undefined : createSecondOf(transcript, wordStarts);
  const at = secondOf(spokenSnippet.at);
  const hits = spokenSnippet.hits.slice(0, mostHits).flatMap(({ start, end }) => {
    const second = secondOf(start);
    return second === undefined ? [] : [{ at: second, text: text.slice(start, end) }];
  });
  return {
    snippet: [...spokenSnippet.parts],
    ...(at !== undefined && { at, atUrl: `${baseUrl}/app/scripts/${id}?t=${at}` }),
    ...(hits.length > 0 && { hits }),
  };
}

/** Finds the second at which an offset of a transcript is said: by the word when times of words are known, else by the segment. */
function createSecondOf(
  { segments, text }: { readonly segments: readonly Segment[]; readonly text: string },
  wordStarts: readonly WordStart[] | undefined,
): (offset: number) => number | undefined {
  if (wordStarts === undefined) return (offset) => saidAt(segments, text, offset);
  let end = 0;
  const ends = wordStarts.map(({ length }) => (end += length));
  return (offset) => {
    const word = wordStarts[ends.findIndex((one) => one > offset)];
    // After the last word whose time was read.
    if (word === undefined) return saidAt(segments, text, offset);
    return Math.round(word.at * 100) / 100;
  };
}

/** Seconds at which the segment begins that holds an offset in the transcript, which is the text of the segments in order. */
export function saidAt(segments: readonly Segment[], transcript: string, offset: number): number | undefined {
  let from = 0;
  let second: number | undefined;
  for (const { text, start } of segments) {
    const index = transcript.indexOf(text, from);
    if (index === -1) continue;
    if (index > offset) break;
    second = start;
    from = index + text.length;
  }
  return second;
}

/** The part of the library that a caller asks for, and its order. */
export type ScriptFilter = z.output<(typeof operations)["linkScriptExport"]["input"]>;

const momentOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

/** A search as the store takes it; a date is the midnight with which it begins, in UTC. */
export const searchOf = (filter: ScriptFilter): Omit<ScriptSearch, "limit" | "after"> => ({
  query: filter.query,
  handle: filter.account,
  platform: filter.platform,
  language: filter.language,
  length: filter.length,
  tag: filter.tag,
  postedAfter: momentOf(filter.postedAfter),
  postedBefore: momentOf(filter.postedBefore),
  transcribedAfter: momentOf(filter.transcribedAfter),
  transcribedBefore: momentOf(filter.transcribedBefore),
  sort: filter.sort,
});
