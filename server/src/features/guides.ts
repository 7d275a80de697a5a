import { ServiceError, operations, restBasePath } from "@reelscript/contract";
import type { StoredGuide } from "../ports.ts";
import type { Handlers } from "../run/handler.ts";
import type { Needs } from "../run/needs.ts";
import { withoutArticle, wordsOf } from "../search/search-tokens.ts";

export function guideHandlers({ guides, baseUrl }: Needs<"guides" | "baseUrl">) {
  const bySlug = new Map(guides.map((guide) => [guide.slug, guide]));
  const newestFirst = guides.toSorted(
    (left, right) => right.updatedAt.localeCompare(left.updatedAt) || left.slug.localeCompare(right.slug),
  );
  const search = createGuideSearch(newestFirst);
  return {
    listGuides: async ({ input: { query, category, limit, body } }) => {
      const found = search(query).filter((guide) => category === undefined || guide.category === category);
      return {
        guides: found.slice(0, limit).map(({ bodyMarkdown, ...guide }) => ({
          ...guide,
          url: guideUrl(baseUrl(), guide.slug),
          ...(body && { bodyMarkdown: withAddress(bodyMarkdown, baseUrl()) }),
        })),
        total: found.length,
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
/** Of the guides; a word in more of them tells nothing of a topic. */
const mostTellingShare = 0.5;

/** Each field outweighs all the fields after it together. */
const weights = { title: 8, tags: 4, summary: 2, body: 1 } as const;
type Field = keyof typeof weights;
const fields = Object.keys(weights) as Field[];

interface IndexedGuide {
  readonly guide: StoredGuide;
  readonly words: Readonly<Record<Field, ReadonlySet<string>>>;
}

interface Term {
  readonly word: string;
  /** Still being typed: what begins so matches too. */
  readonly isPrefix: boolean;
}

/**
 * A search over guides, whose order breaks ties. Without a query all guides come; else those that hold all its telling words
 * or, when none does, those that hold some, best match first. Words that most guides hold tell nothing of a topic, unless
 * there are no others.
 */
export function createGuideSearch(guides: readonly StoredGuide[]): (query: string | undefined) => StoredGuide[] {
  const index = guides.map(indexed);
  return (query) => {
    if (query === undefined || query.trim() === "") return [...guides];
    const terms = termsOf(query).map((term) => {
      const weights = index.map(({ words }) => weightOf(words, term));
      return { weights, share: weights.filter((weight) => weight > 0).length / index.length };
    });
    const telling = terms.some(({ share }) => share <= mostTellingShare)
      ? terms.filter(({ share }) => share <= mostTellingShare)
      : terms;
    const ranked = index
      .map(({ guide }, place) => ({
        guide,
        held: telling.filter(({ weights }) => weights[place]! > 0).length,
        score: terms.reduce((sum, { weights, share }) => sum + weights[place]! * rarity(share), 0),
      }))
      .filter(({ held }) => held > 0)
      .toSorted((left, right) => right.score - left.score);
    const withAll = ranked.filter(({ held }) => held === telling.length);
    return (withAll.length > 0 ? withAll : ranked).map(({ guide }) => guide);
  };
}

/** A word that few guides hold counts for more. */
const rarity = (share: number): number => 1 - Math.log2(Math.max(share, 0.01));

const tokens = (text: string): Set<string> => new Set(wordsOf(text).map(withoutArticle));

const indexed = (guide: StoredGuide): IndexedGuide => ({
  guide,
  words: {
    title: tokens(guide.title),
    tags: tokens(guide.tags.join(" ")),
    summary: tokens(guide.summary),
    body: tokens(guide.bodyMarkdown),
  },
});

function termsOf(query: string): Term[] {
  const words = wordsOf(query).slice(0, mostWords).map(withoutArticle);
  const last = words.at(-1);
  const beingTyped =
    last !== undefined && Array.from(last).length >= shortestPrefix && /[\p{L}\p{M}\p{N}]$/u.test(query);
  const whole = new Set(beingTyped ? words.slice(0, -1) : words);
  const terms = Array.from(whole, (word) => ({ word, isPrefix: false }));
  return beingTyped ? [...terms, { word: last, isPrefix: true }] : terms;
}

function weightOf(words: IndexedGuide["words"], { word, isPrefix }: Term): number {
  const holds = (field: Field): boolean =>
    words[field].has(word) || (isPrefix && Array.from(words[field]).some((one) => one.startsWith(word)));
  return fields.filter(holds).reduce((sum, field) => sum + weights[field], 0);
}
