import { keysPerAccount, plans as planTable, PlanName } from "@reelscript/contract";
import type { Handler, RateLimitSettings } from "../../run/run.ts";

export const getPlans =
  ({
    quotaScope,
    limits,
  }: {
    readonly quotaScope: "key" | "account";
    readonly limits: RateLimitSettings;
  }): Handler<"getPlans"> =>
  async () => ({
    plans: PlanName.options.map((id) => {
      const { name, dollarsPerMonth, transcriptions, posts, period } = planTable[id];
      return {
        id,
        name,
        dollarsPerMonth,
        transcriptions: { limit: transcriptions, period },
        posts: { limit: posts, period },
      };
    }),
    transcriptionsCountedPer: quotaScope,
    keysPerAccount,
    requestsPerHour: {
      perKey: limits.default,
      transcriptionsPerKey: limits.transcribe,
      bioChangesPerKey: limits.bioWrite,
      perAddressWithoutKey: limits.address,
    },
    free: [
      "a reel that anybody had transcribed before",
      "a reel in which nothing is said",
      "a transcription that fails",
      "reading, listing and searching",
    ],
  });
