import { shortDate } from "./date.ts";
import { exactNumber } from "./number.ts";

interface Allowance {
  readonly limit: number;
  /** `null` where it never starts over. */
  readonly resetsAt: string | null;
}

/** “staging” has used all 250. It works again on Dec 3, or now with Creator. */
export function quotaSentence(
  who: { readonly name: string; readonly plural?: boolean },
  { limit, resetsAt }: Allowance,
  larger: readonly string[],
  now = new Date(),
): string {
  const [works, has] = who.plural ? ["They work", "have"] : ["It works", "has"];
  const used = `${who.name} ${has} used all ${exactNumber(limit)}.`;
  const upgrade = larger.length > 0 ? `now with ${larger.join(" or ")}` : undefined;
  if (resetsAt === null) return upgrade ? `${used} ${works} again ${upgrade}.` : used;
  const when =
    Date.parse(resetsAt) > now.getTime() ? `on ${shortDate(resetsAt, now)}` : "when the open payment is paid";
  return `${used} ${works} again ${when}${upgrade ? `, or ${upgrade}` : ""}.`;
}
