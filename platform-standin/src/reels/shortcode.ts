const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const firstIdAtMilliseconds = 1314220021721n;
const privateTailLength = 28;

/** The media id (decimal digits) that a code of 10, 11 or 39 characters stands for. */
export function mediaIdOfCode(code: string): string {
  const short = code.length > privateTailLength ? code.slice(0, -privateTailLength) : code;
  let id = 0n;
  for (const letter of short) {
    const value = alphabet.indexOf(letter);
    if (value < 0) throw new RangeError(`not a reel code: ${code}`);
    id = id * 64n + BigInt(value);
  }
  return id.toString();
}

/** The shortest code of a media id given as decimal digits. */
export function codeOfMediaId(mediaId: string): string {
  let rest = BigInt(mediaId);
  let code = "";
  while (rest > 0n) {
    code = alphabet.charAt(Number(rest % 64n)) + code;
    rest /= 64n;
  }
  return code;
}

/** When the platform minted this id, in milliseconds since 1970. */
export function mintedAtOfMediaId(mediaId: string): number {
  return Number((BigInt(mediaId) >> 23n) + firstIdAtMilliseconds);
}

/** A code minted at this moment; `sequence` (below 2^23) tells reels of one millisecond apart. */
export function codeMintedAt(milliseconds: number, sequence: number): string {
  const id = ((BigInt(milliseconds) - firstIdAtMilliseconds) << 23n) | BigInt(sequence);
  return codeOfMediaId(id.toString());
}
