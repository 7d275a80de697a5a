import type { Output } from "@reelscript/client/core";

export type Category = Output<"getGuide">["category"];

export const categoryNames: Readonly<Record<Category, string>> = {
  making: "Making reels",
  publishing: "Publishing",
  measuring: "Measuring",
  library: "Your library",
  "bio-page": "Bio page",
  agents: "Programs and agents",
};

export const categories = Object.keys(categoryNames) as Category[];

export const categoryOf = (name: string | undefined): Category | undefined =>
  categories.find((category) => category === name);

type Guide = Pick<Output<"getGuide">, "slug" | "title" | "category">;

/** The previous and next guide, ordered by category and then by title. */
export function neighborsOf<Entry extends Guide>(guides: readonly Entry[], slug: string) {
  const ordered = guides.toSorted(
    (one, other) =>
      categories.indexOf(one.category) - categories.indexOf(other.category) ||
      one.title.localeCompare(other.title, "en"),
  );
  const index = ordered.findIndex((guide) => guide.slug === slug);
  return index === -1 ? {} : { before: ordered[index - 1], after: ordered[index + 1] };
}
