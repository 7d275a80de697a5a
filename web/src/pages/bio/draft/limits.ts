/** Of the contract, which cannot be here itself without all of its schemas; a test compares them. */
export const limits = {
  displayName: 60,
  bio: 300,
  links: 100,
  linkTitle: 80,
  url: 2_048,
  seoTitle: 60,
  seoDescription: 160,
  socialHandle: 64,
};

export const handleLimits = { shortest: 3, longest: 30, heldDays: 14 };
