/** Platforms with profiles: the name that people use, and lines of our own in a square of 24. */
export const socialPlatforms = {
  instagram: {
    name: "Instagram",
    drawing:
      "M8.5 4h7A4.5 4.5 0 0 1 20 8.5v7a4.5 4.5 0 0 1-4.5 4.5h-7A4.5 4.5 0 0 1 4 15.5v-7A4.5 4.5 0 0 1 8.5 4M15.5 12a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0M16.5 7.5h.01",
  },
  tiktok: { name: "TikTok", drawing: "M10.5 11.5a4 4 0 1 0 3.5 4V3.5c.4 2.7 2.3 4.3 5 4.5" },
  youtube: {
    name: "YouTube",
    drawing: "M6.5 5h11a4 4 0 0 1 4 4v6a4 4 0 0 1-4 4h-11a4 4 0 0 1-4-4V9a4 4 0 0 1 4-4M10.5 9.5l4.5 2.5-4.5 2.5z",
  },
  x: { name: "X", drawing: "m4.5 4.5 15 15M19.5 4.5l-15 15" },
  threads: {
    name: "Threads",
    drawing:
      "M17.5 8.2C16.8 5.4 15 4 12 4c-4 0-6 3-6 8s2 8 6 8c3.5 0 5.5-1.8 5.5-4.2 0-2.6-2.3-3.8-5-3.8-2 0-3.3.9-3.3 2.2s1.1 2.1 2.5 2.1c2 0 3-1.3 3-3.3 0-2.4-1-3.6-2.9-3.6-1.1 0-1.9.4-2.4 1.2",
  },
  facebook: { name: "Facebook", drawing: "M13 20.5V8.8C13 7 13.9 6 15.6 6H17M9.5 12h6.5" },
  linkedin: {
    name: "LinkedIn",
    drawing: "M6 10v9M6 5.5h.01M11 19v-9M11 14c0-2.5 1.5-4 3.7-4S18 11.5 18 14v5",
  },
  spotify: {
    name: "Spotify",
    drawing:
      "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M7.5 9.5c3-.9 6.3-.6 9 .8M8 12.8c2.5-.7 5-.5 7.3.7M8.5 15.8c1.9-.5 3.9-.3 5.6.5",
  },
  email: {
    name: "Email",
    drawing:
      "M6 5.5h12A2.5 2.5 0 0 1 20.5 8v8a2.5 2.5 0 0 1-2.5 2.5H6A2.5 2.5 0 0 1 3.5 16V8A2.5 2.5 0 0 1 6 5.5M4 8l8 5.5L20 8",
  },
  website: {
    name: "Website",
    drawing: "M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0M3.5 12h17M12 3.5c-5 5.5-5 11.5 0 17 5-5.5 5-11.5 0-17",
  },
} as const;

export type SocialPlatform = keyof typeof socialPlatforms;

export const socialPlatformNames = Object.keys(socialPlatforms) as SocialPlatform[];
