import type { BioContent } from "@reelscript/contract";
import { raw } from "hono/html";
import type { Markup } from "../markup.ts";

type Platform = BioContent["socials"][number]["platform"];

const iconOf = (shapes: string): Markup => raw(`<svg viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`);

/** Lines of our own in a square of 24, and the names by which people know the platforms. */
export const platforms: Readonly<Record<Platform, { readonly name: string; readonly icon: Markup }>> = {
  instagram: {
    name: "Instagram",
    icon: iconOf(
      '<rect x="4" y="4" width="16" height="16" rx="4.5"/><circle cx="12" cy="12" r="3.5"/><path d="M16.5 7.5h.01"/>',
    ),
  },
  tiktok: { name: "TikTok", icon: iconOf('<path d="M10.5 11.5a4 4 0 1 0 3.5 4V3.5c.4 2.7 2.3 4.3 5 4.5"/>') },
  youtube: {
    name: "YouTube",
    icon: iconOf('<rect x="2.5" y="5" width="19" height="14" rx="4"/><path d="m10.5 9.5 4.5 2.5-4.5 2.5z"/>'),
  },
  x: { name: "X", icon: iconOf('<path d="m4.5 4.5 15 15M19.5 4.5l-15 15"/>') },
  threads: {
    name: "Threads",
    icon: iconOf(
      '<path d="M17.5 8.2C16.8 5.4 15 4 12 4c-4 0-6 3-6 8s2 8 6 8c3.5 0 5.5-1.8 5.5-4.2 0-2.6-2.3-3.8-5-3.8-2 0-3.3.9-3.3 2.2s1.1 2.1 2.5 2.1c2 0 3-1.3 3-3.3 0-2.4-1-3.6-2.9-3.6-1.1 0-1.9.4-2.4 1.2"/>',
    ),
  },
  facebook: { name: "Facebook", icon: iconOf('<path d="M13 20.5V8.8C13 7 13.9 6 15.6 6H17M9.5 12h6.5"/>') },
  linkedin: {
    name: "LinkedIn",
    icon: iconOf('<path d="M6 10v9M6 5.5h.01M11 19v-9M11 14c0-2.5 1.5-4 3.7-4S18 11.5 18 14v5"/>'),
  },
  spotify: {
    name: "Spotify",
    icon: iconOf(
      '<circle cx="12" cy="12" r="9"/><path d="M7.5 9.5c3-.9 6.3-.6 9 .8M8 12.8c2.5-.7 5-.5 7.3.7M8.5 15.8c1.9-.5 3.9-.3 5.6.5"/>',
    ),
  },
  email: {
    name: "Email",
    icon: iconOf('<rect x="3.5" y="5.5" width="17" height="13" rx="2.5"/><path d="m4 8 8 5.5L20 8"/>'),
  },
  website: {
    name: "Website",
    icon: iconOf('<circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.5c-5 5.5-5 11.5 0 17 5-5.5 5-11.5 0-17"/>'),
  },
};
