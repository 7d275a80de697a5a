const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Posts of private accounts carry a code that is longer than this; its last 28 characters are no part of the number. */
export const suffixLength = 28;
const largestId = 2n ** 63n - 1n;

/** The decimal media id that a shortcode stands for (base 64, big-endian), or `undefined` when it cannot stand for one. */
export function mediaIdOfShortcode(shortcode: string): string | undefined {
  const digits = shortcode.length > suffixLength ? shortcode.slice(0, -suffixLength) : shortcode;
  let id = 0n;
  for (const character of digits) {
    const value = alphabet.indexOf(character);
    if (value < 0) return undefined;
    id = id * 64n + BigInt(value);
    if (id > largestId) return undefined;
  }
  return id === 0n ? undefined : String(id);
}

/** One spelling per reel: a public code loses leading zero digits, a private form is kept whole because pages need it. */
export function canonicalShortcode(shortcode: string): string {
  return shortcode.length > suffixLength ? shortcode : shortcode.replace(/^A+/, "");
}
