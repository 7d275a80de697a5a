import { exactNumber } from "../../../format/number.ts";

/** 12 s we couldn’t make out */
export const gapText = ({ start, end }: { readonly start: number; readonly end: number }): string =>
  `${exactNumber(Math.max(1, Math.round(end - start)))} s we couldn’t make out`;
