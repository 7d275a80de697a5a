import type { PlanName } from "@reelscript/contract";
import { plans } from "@reelscript/contract/values";

const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

/** "Tamil" of "ta"; "und" is a reel without speech. */
export const languageName = (code: string): string => {
  if (code === "und") return "No speech";
  try {
    return languageNames.of(code) ?? code;
  } catch {
    return code;
  }
};

export const planName = (plan: PlanName): string => plans[plan].name;

/** An address without what everybody knows: `lenabakes.com/nine`, `instagram.com/reel/DQx7Kb2sV1n`. */
export const shownAddress = (url: string): string =>
  url.replace(/^(?:https?:\/\/(?:www\.)?|mailto:|tel:)/i, "").replace(/\/$/, "");

const regions = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

export function countryName(code: string): string {
  try {
    return regions.of(code.toUpperCase()) ?? code;
  } catch {
    return code;
  }
}
