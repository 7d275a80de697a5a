import type { Webhook } from "@reelscript/contract";

/** How the last attempt went, and what its owner can do about it. */
export function webhookOutcome({ status, problem }: NonNullable<Webhook["last"]>): string {
  switch (problem) {
    case null:
      return `Delivered (${status})`;
    case "status":
      return status !== null && status >= 300 && status < 400
        ? `Your server redirected (${status}). Enter the final address.`
        : `Your server answered ${status}. It must answer 2xx.`;
    case "timeout":
      return "No answer within 5 seconds";
    case "refused":
      return "The address isn’t on the public internet";
    case "unreachable":
      return "Couldn’t connect to your server";
  }
}
