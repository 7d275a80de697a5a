import { categories, type Category } from "./guide-categories.ts";

interface Guide {
  readonly slug: string;
  readonly title: string;
  readonly category: Category;
}

/** The guides before and after one, category by category and in each by title. */
export function neighborsOf<Known extends Guide>(
  guides: readonly Known[],
  slug: string,
): { readonly before?: Known | undefined; readonly after?: Known | undefined } {
  const ordered = guides.toSorted(
    (one, other) =>
      categories.indexOf(one.category) - categories.indexOf(other.category) ||
      one.title.localeCompare(other.title, "en"),
  );
  const place = ordered.findIndex((guide) => guide.slug === slug);
  return place === -1 ? {} : { before: ordered[place - 1], after: ordered[place + 1] };
}
