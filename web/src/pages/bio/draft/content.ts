import type { BioContent, BioPage } from "@reelscript/contract";

export type BioLink = BioContent["links"][number];
export type Social = BioContent["socials"][number];
export type Theme = BioContent["theme"];

/** What the owner writes, without what the service adds. */
export const contentOf = ({
  displayName,
  bio,
  avatarUrl,
  links,
  socials,
  seo,
  theme,
}: Pick<BioPage, keyof BioContent>): BioContent => ({ displayName, bio, avatarUrl, links, socials, seo, theme });
