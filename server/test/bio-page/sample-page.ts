import { BioContent } from "@reelscript/contract";
import type { BioPageInput } from "../../src/bio-page/render-bio-page.ts";

export const presets = BioContent.shape.theme.unwrap().shape.preset.unwrap().options;
const now = new Date("2026-03-01T12:00:00.000Z");

const link = (id: string, title: string) => ({ id, title, url: `https://example.com/${id}` });

/** A page as people make them: six links, a header, three socials. */
export const samplePage = (changes: Record<string, unknown> = {}): BioPageInput => ({
  handle: "lenabakes",
  baseUrl: "https://reelscript.example",
  now,
  content: BioContent.parse({
    displayName: "Lena Bakes",
    bio: "Bread with few words. Lisbon, mostly before seven in the morning.",
    links: [
      { ...link("lnk_1", "Nine-minute loaf, the recipe"), highlighted: true },
      link("lnk_2", "Book a table, Lisbon"),
      { id: "lnk_h", type: "header", title: "Listen and read" },
      link("lnk_3", "Crumb, a podcast about bread"),
      link("lnk_4", "All my transcripts"),
      link("lnk_5", "Flour I buy, and why"),
      link("lnk_6", "Winter workshop"),
    ],
    socials: [
      { platform: "instagram", url: "https://www.instagram.com/lenabakes/" },
      { platform: "youtube", url: "https://www.youtube.com/@lenabakes" },
      { platform: "email", url: "mailto:lena@example.com" },
    ],
    ...changes,
  }),
});
