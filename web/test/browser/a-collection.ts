import type { ReelCollection } from "@reelscript/contract";

const captions = [
  "Three questions before any hook #hooks #reels",
  "Why I deleted half of my drafts",
  "قبل أن تصور: اكتب جملة واحدة #reels",
  "Bread, with few words. The dough tells you when it is ready, and nobody who sells timers likes to hear that.",
  "आज की चाय #chai",
  "The first second decides",
];

/** Reels of an account over twelve weeks: enough for every chart of a report, the same in every run. */
export function aCollection(handle: string, count = 48): ReelCollection {
  const first = Date.UTC(2026, 7, 3, 5);
  // A walk that looks like chance and is none.
  const scattered = (index: number, most: number): number => (index * 7_919 + 104_729) % most;
  return {
    handle,
    timezone: "Europe/Lisbon",
    collectedAt: "2026-11-02T10:00:00Z",
    reels: Array.from({ length: count }, (_, index) => {
      const views = 4_000 + scattered(index, 61_000) + (index % 11 === 0 ? 180_000 : 0);
      const hour = [5, 5, 12, 17, 5, 20][index % 6] ?? 5;
      return {
        url: `https://www.instagram.com/reel/${handle.replaceAll(".", "")}${index}/`,
        caption: captions[index % captions.length] ?? "",
        views,
        likes: Math.round(views / (14 + scattered(index, 9))),
        comments: scattered(index, 400),
        postedAt: new Date(first + index * 1.75 * 86_400_000 + (hour - 5) * 3_600_000).toISOString(),
        durationSeconds: 9 + scattered(index, 70),
      };
    }),
  };
}
