export const bioTabs = ["links", "look", "profile", "sharing", "address"] as const;
export type BioTab = (typeof bioTabs)[number];

export const tabNames: Readonly<Record<BioTab, string>> = {
  links: "Links",
  look: "Look",
  profile: "Profile",
  sharing: "Sharing",
  address: "Address",
};
