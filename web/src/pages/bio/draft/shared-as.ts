import type { BioContent } from "@reelscript/contract";

interface Shared {
  readonly title: string;
  readonly description: string | undefined;
  /** null: drawn in the page's look. */
  readonly image: string | null;
}

/** What search engines and previews of links are told, as the page itself puts it. */
export function sharedAs({ displayName, bio, seo }: BioContent, handle: string | null): Shared {
  const name = displayName ?? (handle === null ? "Reelscript" : `@${handle}`);
  return {
    title: seo.title ?? (handle === null || displayName === null ? name : `${name} (@${handle})`),
    description: (seo.description ?? bio)?.replaceAll(/\s+/g, " ").trim() || undefined,
    image: seo.imageUrl,
  };
}
