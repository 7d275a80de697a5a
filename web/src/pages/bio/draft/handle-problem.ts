import { bioHandleLimits } from "@reelscript/contract/values";

/** What keeps a text from being a handle, in words for its owner; `undefined` when only the service can say more. */
export function handleProblem(handle: string): string | undefined {
  const wrong = /[^a-z0-9._]/iu.exec(handle)?.[0];
  if (wrong !== undefined)
    return `${wrong === " " ? "A space" : `“${wrong}”`} cannot be in it: a to z, 0 to 9, dot and underscore can.`;
  if (handle.length > bioHandleLimits.longest)
    return `At most ${bioHandleLimits.longest} characters; these are ${handle.length}.`;
  if (/^[._]|[._]$/.test(handle)) return "Begin and end with a letter or digit.";
  if (/[._]{2}/.test(handle)) return "No two of dot and underscore together.";
  if (handle.length < bioHandleLimits.shortest) return `At least ${bioHandleLimits.shortest} characters.`;
  return undefined;
}
