import type { BioContent } from "@reelscript/contract";
import { jsonMarkup, markup, type Markup } from "./markup.ts";

interface About extends Pick<BioContent, "socials"> {
  readonly url: string;
  readonly handle: string;
  /** null: drawn of the name. */
  readonly portrait: string | null;
  readonly name: string;
  readonly title: string;
  /** One line. */
  readonly description: string;
  /** 1200 by 630 pixels unless the owner gave it. */
  readonly image: string;
}

/** What search engines and previews of links read. */
export function aboutPage({ url, handle, name, title, description, image, portrait, socials }: About): Markup {
  const sameAs = socials.map((social) => social.url).filter((address) => /^https?:/i.test(address));
  const person = {
    "@type": "Person",
    name,
    alternateName: handle,
    ...(description !== "" && { description }),
    image: portrait ?? image,
    url,
    ...(sameAs.length > 0 && { sameAs }),
  };
  const linked = { "@context": "https://schema.org", "@type": "ProfilePage", mainEntity: person };
  return markup`<link rel="canonical" href="${url}"><meta property="og:type" content="profile"><meta property="og:site_name" content="Reelscript"><meta property="og:title" content="${title}">${
    description && markup`<meta property="og:description" content="${description}">`
  }<meta property="og:url" content="${url}"><meta property="og:image" content="${image}"><meta property="og:image:alt" content="${title}"><meta name="twitter:card" content="summary_large_image"><script type="application/ld+json">${jsonMarkup(linked)}</script>`;
}
