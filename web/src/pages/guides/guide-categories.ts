import type { Output } from "../../api/operation-types.ts";

export type Category = Output<"getGuide">["category"];

/** In the order in which they are shown. */
export const categoryNames: Readonly<Record<Category, string>> = {
  making: "Making reels",
  publishing: "Publishing",
  measuring: "Measuring",
  library: "Your library",
  "bio-page": "Bio page",
  agents: "Programs and agents",
};

export const categories = Object.keys(categoryNames) as Category[];

export const categoryOf = (name: string | undefined): Category | undefined =>
  categories.find((category) => category === name);
