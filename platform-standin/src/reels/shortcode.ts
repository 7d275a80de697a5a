import { codeOfInstagramId, instagramIdOf, momentOfInstagramId } from "@reelscript/contract/values";

/** The media id (decimal digits) of a code of 10, 11 or 39 characters. */
export function mediaIdOfCode(code: string): string {
  const id = instagramIdOf(code);
  if (id === undefined) throw new RangeError(`not a reel code: ${code}`);
  return id;
}

const firstMoment = momentOfInstagramId("0").getTime();

/** A code minted at this moment; `sequence` (below 2^23) distinguishes reels of the same millisecond. */
export const codeMintedAt = (milliseconds: number, sequence: number): string =>
  codeOfInstagramId(String((BigInt(milliseconds - firstMoment) << 23n) | BigInt(sequence)));
