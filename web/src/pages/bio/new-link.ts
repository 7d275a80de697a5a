import type { BioLink } from "./draft/content.ts";

let made = 0;

/** The id is for the draft alone; the service draws another one. */
export const newLink = (type: BioLink["type"]): BioLink => ({
  id: `new-${Date.now().toString(36)}-${(made += 1)}`,
  type,
  title: "",
  url: type === "link" ? "" : null,
  thumbnailUrl: null,
  enabled: true,
  highlighted: false,
  startsAt: null,
  endsAt: null,
});
