/** An address without what everybody knows: `lenabakes.com/nine`, `instagram.com/reel/DQx7Kb2sV1n`. */
export const shownAddress = (url: string): string =>
  url.replace(/^(?:https?:\/\/(?:www\.)?|mailto:|tel:)/i, "").replace(/\/$/, "");
