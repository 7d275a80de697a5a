import type { StoredGuide } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { guideUrl, withAddress } from "./guide-url.ts";
import { createGuideSearch } from "./search-guides.ts";

export function listGuides({
  guides,
  baseUrl,
}: {
  readonly guides: readonly StoredGuide[];
  readonly baseUrl: () => string;
}): Handler<"listGuides"> {
  const newestFirst = guides.toSorted(
    (left, right) => right.updatedAt.localeCompare(left.updatedAt) || left.slug.localeCompare(right.slug),
  );
  const search = createGuideSearch(newestFirst);
  return async ({ input: { query, category, limit, body } }) => {
    const found = search(query).filter((guide) => category === undefined || guide.category === category);
    return {
      guides: found.slice(0, limit).map(({ bodyMarkdown, ...guide }) => ({
        ...guide,
        url: guideUrl(baseUrl(), guide.slug),
        ...(body && { bodyMarkdown: withAddress(bodyMarkdown, baseUrl()) }),
      })),
      total: found.length,
    };
  };
}
