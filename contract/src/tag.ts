/** The groups in which documentation shows the operations. */
export const tags = {
  Transcripts: "Turning the speech of reels into text.",
  Library: "The caller's own scripts: listed, searched, sorted.",
  Reels: "What a platform shows about a reel.",
  Reports: "Competitor reports, made in the browser extension.",
  "Bio page": "The caller's link-in-bio page, its revisions and visits.",
  Guides: "Advice on growing with reels and on using the service.",
  Product: "What the service does and what it costs.",
  Account: "The account and key of the request, and what was used.",
} as const;

export type Tag = keyof typeof tags;
