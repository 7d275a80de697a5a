import type { Social } from "../pages/bio/draft/content.ts";

/** Names by which people know the platforms, and drawings of our own in a square of 24. */
export const platforms: Readonly<Record<Social["platform"], { readonly name: string; readonly drawing: string }>> = {
  instagram: {
    name: "Instagram",
    drawing:
      "M8.500 4h7A4.500 4.500 0 0 1 20 8.500v7a4.500 4.500 0 0 1-4.500 4.500h-7A4.500 4.500 0 0 1 4 15.500v-7A4.500 4.500 0 0 1 8.500 4M15.500 12a3.500 3.500 0 1 1-7 0 3.500 3.500 0 0 1 7 0M16.500 7.500h.01",
  },
  tiktok: { name: "TikTok", drawing: "M10.500 11.500a4 4 0 1 0 3.500 4V3.500c.4 2.700 2.300 4.300 5 4.500" },
  youtube: {
    name: "YouTube",
    drawing:
      "M6.500 5h11a4 4 0 0 1 4 4v6a4 4 0 0 1-4 4h-11a4 4 0 0 1-4-4V9a4 4 0 0 1 4-4M10.500 9.500l4.500 2.500-4.500 2.500z",
  },
  x: { name: "X", drawing: "m4.500 4.500 15 15M19.500 4.500l-15 15" },
  threads: {
    name: "Threads",
    drawing:
      "M17.500 8.200C16.800 5.400 15 4 12 4c-4 0-6 3-6 8s2 8 6 8c3.500 0 5.500-1.800 5.500-4.200 0-2.600-2.300-3.800-5-3.800-2 0-3.300.9-3.300 2.200s1.100 2.100 2.500 2.100c2 0 3-1.300 3-3.300 0-2.400-1-3.600-2.900-3.600-1.100 0-1.900.4-2.400 1.200",
  },
  facebook: { name: "Facebook", drawing: "M13 20.500V8.800C13 7 13.900 6 15.600 6H17M9.500 12h6.500" },
  linkedin: {
    name: "LinkedIn",
    drawing: "M6 10v9M6 5.500h.01M11 19v-9M11 14c0-2.500 1.500-4 3.700-4S18 11.500 18 14v5",
  },
  spotify: {
    name: "Spotify",
    drawing:
      "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M7.500 9.500c3-.9 6.300-.6 9 .8M8 12.800c2.500-.7 5-.5 7.300.7M8.500 15.800c1.900-.5 3.900-.3 5.600.5",
  },
  email: {
    name: "Email",
    drawing:
      "M6 5.500h12A2.500 2.500 0 0 1 20.500 8v8a2.500 2.500 0 0 1-2.500 2.500H6A2.500 2.500 0 0 1 3.500 16V8A2.500 2.500 0 0 1 6 5.500M4 8l8 5.500L20 8",
  },
  website: {
    name: "Website",
    drawing:
      "M20.500 12a8.500 8.500 0 1 1-17 0 8.500 8.500 0 0 1 17 0M3.500 12h17M12 3.500c-5 5.500-5 11.500 0 17 5-5.500 5-11.500 0-17",
  },
};
