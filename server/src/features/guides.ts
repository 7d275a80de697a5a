import MiniSearch, { type SearchResult } from "minisearch";
import { ServiceError, operations, restBasePath } from "@reelscript/contract";
import type { StoredGuide } from "../ports.ts";
import type { Handlers } from "../run/handler.ts";
import { withoutArticle, wordsOf } from "../search/search-tokens.ts";

interface GuideNeeds {
  readonly guides: readonly StoredGuide[];
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
}

export function guideHandlers({ guides, baseUrl }: GuideNeeds) {
  const bySlug = new Map(guides.map((guide) => [guide.slug, guide]));
  const newestFirst = guides.toSorted(
    (left, right) => right.updatedAt.localeCompare(left.updatedAt) || left.slug.localeCompare(right.slug),
  );
  const search = createGuideSearch(newestFirst);
  return {
    listGuides: async ({ input: { query, category, limit, body } }) => {
      const matches = search(query).filter((guide) => category === undefined || guide.category === category);
      return {
        guides: matches.slice(0, limit).map(({ bodyMarkdown, ...guide }) => ({
          ...guide,
          url: guideUrl(baseUrl(), guide.slug),
          ...(body && { bodyMarkdown: withAddress(bodyMarkdown, baseUrl()) }),
        })),
        total: matches.length,
      };
    },

    getGuide: async ({ input: { slug } }) => {
      const guide = bySlug.get(slug);
      if (guide === undefined)
        throw new ServiceError("notFound", `No guide is called \`${slug}\`. GET /api/v1/guides lists them.`);
      return { ...guide, bodyMarkdown: withAddress(guide.bodyMarkdown, baseUrl()), url: guideUrl(baseUrl(), slug) };
    },
  } satisfies Partial<Handlers>;
}

const guideUrl = (baseUrl: string, slug: string): string =>
  `${baseUrl}${restBasePath}${operations.getGuide.http.path.replace("{slug}", slug)}`;

/** Guides are written for the usual address of development; a reader gets the one that the service has. */
const withAddress = (text: string, baseUrl: string): string => text.replaceAll("http://127.0.0.1:8787", baseUrl);

/** Further words of an endless query are ignored. */
const mostWords = 64;
const shortestPrefix = 2;
/** A word that a larger share of the guides holds says little of a topic. */
const mostTellingShare = 0.5;

/** Words that say nothing of a topic in any question. */
const weakWords: ReadonlySet<string> = new Set(
  "a about after all also an and any are as at be been but by can could did do does doing for from get got had has have he her his how i if in into is it its just let like make me more most much my need no not of on one or our out over please s she should so some t tell than that the their them then there they this to up us use using very want was we well were what when where which who why will with would you your".split(
    " ",
  ),
);

/**
 * A search over guides, whose order breaks ties. Without a query all guides come; else those that hold all its telling words
 * or, when none does, those that hold some, best match first. Words that most guides hold are asked for only when there are
 * no others. Weak words match nothing.
 */
export function createGuideSearch(guides: readonly StoredGuide[]): (query: string | undefined) => StoredGuide[] {
  const guidesBySlug = new Map(guides.map(({ slug }, position) => [slug, { position, guide: guides[position]! }]));
  let firstIndex: MiniSearch<StoredGuide> | undefined;
  return (query) => {
    if (query === undefined || query.trim() === "") return [...guides];
    // Reading all guides takes longer than most parts of a start, and the first search can wait for it.
    const index = (firstIndex ??= indexOf(guides));
    const isTelling = (word: string): boolean => index.search(word).length <= guides.length * mostTellingShare;
    const words = wordsOf(query)
      .slice(0, mostWords)
      .filter((word) => !weakWords.has(word));
    const isBeingTyped = /[\p{L}\p{M}\p{N}]$/u.test(query);
    const search = (terms: readonly string[], combineWith: "AND" | "OR"): SearchResult[] =>
      index.search(terms.join(" "), {
        combineWith,
        prefix: (word, position, all) =>
          isBeingTyped &&
          position === all.length - 1 &&
          word === words.at(-1) &&
          Array.from(word).length >= shortestPrefix,
      });
    const telling = words.filter(isTelling);
    const searchWords = telling.length > 0 ? telling : words;
    const withAll = search(searchWords, "AND");
    const results = withAll.length > 0 ? withAll : search(searchWords, "OR");
    return results
      .map(({ id, score }) => ({ score, ...guidesBySlug.get(id as string)! }))
      .toSorted((left, right) => right.score - left.score || left.position - right.position)
      .map(({ guide }) => guide);
  };
}

function indexOf(guides: readonly StoredGuide[]): MiniSearch<StoredGuide> {
  const index = new MiniSearch<StoredGuide>({
    idField: "slug",
    fields: ["title", "tags", "summary", "bodyMarkdown"],
    tokenize: wordsOf,
    processTerm: (word) => !weakWords.has(word) && withoutArticle(word),
    // The length of a guide says nothing about its relevance.
    searchOptions: { boost: { title: 8, tags: 4, summary: 2 }, bm25: { k: 1.2, b: 0, d: 0.5 } },
  });
  index.addAll(guides);
  return index;
}
