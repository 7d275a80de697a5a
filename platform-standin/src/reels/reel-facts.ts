import type { StandinReel } from "./standin-reel.ts";

const names = new Intl.DisplayNames("en", { type: "language" });

/** Reels in which nothing is said have the language `und`. */
export const languageName = (language: string): string =>
  language === "und" ? "No speech" : (names.of(language) ?? language);

/** As players show it: `0:27`. */
export function lengthOf(seconds: number): string {
  const whole = Math.max(seconds > 0 ? 1 : 0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export const captionOf = (reel: StandinReel): string => reel.caption?.trim() || "No caption";
