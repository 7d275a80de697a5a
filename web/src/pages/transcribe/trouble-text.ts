import type { Usage } from "@reelscript/contract";
import { plans } from "@reelscript/contract/values";
import type { IconName } from "../../components/icon.tsx";
import { quotaSentence } from "../../format/quota-sentence.ts";
import type { Trouble } from "./job.ts";

interface TroubleText {
  readonly icon: IconName;
  readonly kind: "bad" | "warn";
  readonly text: string;
}

/** What happened, whether it was counted, and what now. */
export function troubleText({ code, status, message }: Trouble, usage: Usage | undefined): TroubleText {
  switch (code) {
    case "notFound": {
      const exact = /private|deleted/i.test(message) ? "This reel is private or was deleted." : message;
      return { icon: "lock", kind: "bad", text: uncounted(exact) };
    }
    case "inProgress":
      return {
        icon: "clock",
        kind: "warn",
        text: "Someone is transcribing this reel. As soon as it is done, it is free.",
      };
    case "rateLimited":
      return { icon: "clock", kind: "warn", text: "Too fast for now." };
    case "unavailable":
      return { icon: "clock", kind: "warn", text: uncounted("Too many reels are waiting to be transcribed.") };
    case "upstreamError":
      return {
        icon: "warn",
        kind: "bad",
        text: "We could not reach the platform. It is usually back in a minute. Nothing was counted.",
      };
    case "limitReached":
      return { icon: "gauge", kind: "bad", text: limitText(usage) };
    case "invalidRequest":
      return {
        icon: "alert",
        kind: "bad",
        text: uncounted(status === 400 ? message.replace(/^url /, "This link ") : message),
      };
    case "unreachable":
      return { icon: "warn", kind: "bad", text: message };
    case "unauthorized":
    case "internalError":
      return { icon: "warn", kind: "bad", text: uncounted("Something broke on our side.") };
  }
}

const uncounted = (text: string): string =>
  /nothing was (charged|counted)/i.test(text) ? text : `${text} Nothing was counted.`;

function limitText(usage: Usage | undefined): string {
  if (usage === undefined) return "All transcriptions of the plan are used. Reels from the cache stay free.";
  const { plan, transcriptions } = usage;
  const larger = Object.values(plans).filter((other) => other.transcriptions > plans[plan].transcriptions);
  const sentence = quotaSentence(
    { name: "The dashboard" },
    transcriptions,
    larger.map(({ name }) => name),
  );
  return `${sentence} Reels from the cache stay free.`;
}
