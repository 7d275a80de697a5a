import { statSync } from "node:fs";

/** True if one of the words names a file of this machine, so that none is meant as an address. */
export const areFiles = (words: readonly string[]): boolean => words.some(isFile);

export function isFile(word: string): boolean {
  if (/^https?:\/\//i.test(word)) return false;
  return statSync(word, { throwIfNoEntry: false })?.isFile() === true;
}
