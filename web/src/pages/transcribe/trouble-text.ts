import type { ErrorReason, Usage } from "@reelscript/contract";
import { plans } from "@reelscript/contract/values";
import type { IconName } from "../../components/icon.tsx";
import { quotaSentence } from "../../format.ts";
import type { Trouble } from "./job-list.ts";

interface TroubleText {
  readonly icon: IconName;
  readonly kind: "bad" | "warn";
  readonly text: string;
}

export function troubleText(trouble: Trouble, usage: Usage | undefined): TroubleText {
  const { code, reason, message } = trouble;
  switch (code) {
    case "notFound":
      return { icon: "lock", kind: "bad", text: uncounted(missingText(trouble)) };
    case "inProgress":
      return awaiting("Someone else is transcribing this reel. You’ll get it free when it’s ready.");
    case "rateLimited":
      return awaiting(
        reason === "accountQueueFull" ? "You have too many reels waiting." : "You’re sending requests too fast.",
      );
    case "unavailable":
      return awaiting(uncounted(unavailableText(trouble)));
    case "upstreamError":
      return { icon: "warn", kind: "bad", text: uncounted(upstreamText(trouble)) };
    case "limitReached":
      return { icon: "gauge", kind: "bad", text: limitText(usage) };
    case "invalidRequest":
      return { icon: "alert", kind: "bad", text: refusalText(trouble) };
    case "unreachable":
    case "timeout":
    case "unexpectedAnswer":
      return { icon: "warn", kind: "bad", text: message };
    case "unauthorized":
    case "internalError":
      return { icon: "warn", kind: "bad", text: uncounted("Something went wrong on our side.") };
  }
}

const awaiting = (text: string): TroubleText => ({ icon: "clock", kind: "warn", text });
const uncounted = (text: string): string => `${text} You weren’t charged.`;

function upstreamText({ reason, message }: Trouble): string {
  if (reason === "platformNotSetUp") return message;
  return reason === "platformRefused"
    ? "The platform isn’t letting us fetch this reel right now. Try again in a few minutes."
    : "We couldn’t reach the platform. Try again in a minute.";
}

const missingText = ({ reason, message }: Trouble): string =>
  reason === "reelPrivate" || reason === "reelDeleted" ? "This reel is private or was deleted." : message;

function unavailableText({ reason }: Trouble): string {
  if (reason === "queueFull") return "Too many reels are waiting to be transcribed.";
  return reason === "shuttingDown" ? "The service is restarting." : "The service is unavailable right now.";
}

const refusals: Partial<Record<ErrorReason, string>> = {
  notAReel: "This link isn’t a reel.",
  notAVideo: "This post has no video.",
  videoTooLarge: "This video is too large to transcribe.",
};
/** The messages of these say that nothing was charged. */
const complete: ReadonlySet<ErrorReason | undefined> = new Set<ErrorReason>([
  "noAudio",
  "unreadableMedia",
  "unsupportedLanguage",
  "speechNotRecognized",
]);

const refusalText = ({ reason, message }: Trouble): string =>
  complete.has(reason) ? message : uncounted((reason && refusals[reason]) ?? message);

function limitText(usage: Usage | undefined): string {
  if (usage === undefined)
    return "You’ve used all transcriptions of your plan. Reels someone already transcribed are free.";
  const { plan, transcriptions } = usage;
  const larger = Object.values(plans).filter((other) => other.transcriptions > plans[plan].transcriptions);
  const sentence = quotaSentence(
    { name: "The dashboard" },
    transcriptions,
    larger.map(({ name }) => name),
  );
  return `${sentence} Reels someone already transcribed are free.`;
}
