import { bioHandleLimits } from "@reelscript/contract/values";

/** What keeps a text from being a handle, in words for its owner; `undefined` when only the service can say more. */
export function handleProblem(handle: string): string | undefined {
  const wrong = /[^a-z0-9._]/iu.exec(handle)?.[0];
  if (wrong !== undefined) return "Use letters, numbers, dots and underscores only.";
  if (handle.length > bioHandleLimits.longest)
    return `Use at most ${bioHandleLimits.longest} characters (now ${handle.length}).`;
  if (/^[._]|[._]$/.test(handle)) return "Start and end with a letter or number.";
  if (/[._]{2}/.test(handle)) return "Don’t put dots or underscores side by side.";
  if (handle.length < bioHandleLimits.shortest) return `Use at least ${bioHandleLimits.shortest} characters.`;
  return undefined;
}
