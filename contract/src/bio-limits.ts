/** Counts and lengths that a bio page keeps to. */
export const bioLimits = {
  displayName: 60,
  bio: 300,
  links: 100,
  linkTitle: 80,
  url: 2_048,
  socialHandle: 64,
  seoTitle: 60,
  seoDescription: 160,
  contentBytes: 65_536,
};

export const bioHandleLimits = {
  shortest: 3,
  longest: 30,
  /** A handle that was given up is kept for its account this long, so that nobody takes over the links to it at once. */
  heldDays: 14,
  /** Handles that can be held for one account beside the present one. */
  held: 5,
};
