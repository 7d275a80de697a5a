import { ServiceError } from "@reelscript/contract";
import type { StoredGuide } from "../../ports.ts";
import type { Handler } from "../../run.ts";
import { guideUrl } from "./guide-url.ts";

export function read({
  guides,
  baseUrl,
}: {
  readonly guides: readonly StoredGuide[];
  readonly baseUrl: () => string;
}): Handler<"getGuide"> {
  const bySlug = new Map(guides.map((guide) => [guide.slug, guide]));
  return async ({ input: { slug } }) => {
    const guide = bySlug.get(slug);
    if (guide === undefined)
      throw new ServiceError("notFound", `There is no guide \`${slug}\`. GET /api/v1/guides lists what there is.`);
    return { ...guide, url: guideUrl(baseUrl(), slug) };
  };
}
