import { bioLimits, cutVisible } from "@reelscript/contract/values";
import type { BioContent } from "@reelscript/contract";
import { problemsOf } from "./problems-of.ts";

/**
 * The draft in a form that can be shown while somebody is typing: invalid values appear as last published, and links without an
 * address already appear, because preview links lead nowhere.
 */
export function previewContent(draft: BioContent, published: BioContent): BioContent {
  const wrong = new Set(problemsOf(draft).map(({ field }) => field));
  const right = <Value>(field: string, value: Value, otherwise: Value): Value => (wrong.has(field) ? otherwise : value);
  const { theme } = draft;
  return {
    displayName: right(
      "displayName",
      draft.displayName,
      cutVisible(draft.displayName?.trim() ?? "", bioLimits.displayName) || null,
    ),
    bio: right("bio", draft.bio, draft.bio === null ? null : cutVisible(draft.bio, bioLimits.bio)),
    avatarUrl: right("avatarUrl", draft.avatarUrl, published.avatarUrl),
    links: draft.links.map((link) => ({
      ...link,
      title: right(
        `links.${link.id}.title`,
        link.title,
        cutVisible(link.title.trim(), bioLimits.linkTitle) || `Untitled ${link.type}`,
      ),
      url: right(`links.${link.id}.url`, link.url, "https://example.com"),
      thumbnailUrl: right(`links.${link.id}.thumbnailUrl`, link.thumbnailUrl, null),
      endsAt: right(`links.${link.id}.endsAt`, link.endsAt, null),
    })),
    socials: draft.socials.map((social) => ({
      ...social,
      url: right(`socials.${social.platform}.url`, social.url, "https://example.com"),
      handle: right(`socials.${social.platform}.handle`, social.handle, null),
    })),
    // None of it is visible on the page.
    seo: published.seo,
    theme: {
      ...theme,
      background: right("theme.background", theme.background, published.theme.background),
      colors: {
        text: right("theme.colors.text", theme.colors.text, published.theme.colors.text),
        button: right("theme.colors.button", theme.colors.button, published.theme.colors.button),
        buttonText: right("theme.colors.buttonText", theme.colors.buttonText, published.theme.colors.buttonText),
      },
    },
  };
}

interface Shared {
  readonly title: string;
  readonly description: string | undefined;
  /** null: drawn in the preset's colors. */
  readonly image: string | null;
}

export function sharedAs({ displayName, bio, seo }: BioContent, handle: string | null): Shared {
  const name = displayName ?? (handle === null ? "Reelscript" : `@${handle}`);
  return {
    title: seo.title ?? (handle === null || displayName === null ? name : `${name} (@${handle})`),
    description: (seo.description ?? bio)?.replaceAll(/\s+/g, " ").trim() || undefined,
    image: seo.imageUrl,
  };
}
