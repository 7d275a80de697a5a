export const tabNames = {
  links: "Links",
  look: "Look",
  profile: "Profile",
  sharing: "Sharing",
  address: "Address",
} as const;
export type BioTab = keyof typeof tabNames;
export const bioTabs = Object.keys(tabNames) as BioTab[];
