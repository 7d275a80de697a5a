const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Codes of private accounts' posts are longer than this; their last 28 characters are not part of the number. */
const suffixLength = 28;
const largestId = 2n ** 63n - 1n;
const firstIdAtMilliseconds = 1_314_220_021_721n;

/** True if a code has the form that only posts of private accounts have. */
export const isPrivateInstagramCode = (code: string): boolean => code.length > suffixLength;

/** The decimal id for a post's code (base 64, big-endian), or `undefined` if the code can't have one. */
export function instagramIdOf(code: string): string | undefined {
  const digits = isPrivateInstagramCode(code) ? code.slice(0, -suffixLength) : code;
  let id = 0n;
  for (const character of digits) {
    const value = alphabet.indexOf(character);
    if (value < 0) return undefined;
    id = id * 64n + BigInt(value);
    if (id > largestId) return undefined;
  }
  return id === 0n ? undefined : String(id);
}

/** The shortest code of an id. */
export function codeOfInstagramId(id: string): string {
  let code = "";
  for (let rest = BigInt(id); rest > 0n; rest /= 64n) code = alphabet.charAt(Number(rest % 64n)) + code;
  return code;
}

/** When a post's id was assigned, which is seconds to hours before the post was published. */
export const momentOfInstagramId = (id: string): Date => new Date(Number((BigInt(id) >> 23n) + firstIdAtMilliseconds));
