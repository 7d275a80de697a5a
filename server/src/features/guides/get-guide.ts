import { ServiceError } from "@reelscript/contract";
import type { StoredGuide } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { guideUrl, withAddress } from "./guide-url.ts";

export function getGuide({
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
      throw new ServiceError("notFound", `No guide is called \`${slug}\`. GET /api/v1/guides lists them.`);
    return { ...guide, bodyMarkdown: withAddress(guide.bodyMarkdown, baseUrl()), url: guideUrl(baseUrl(), slug) };
  };
}
