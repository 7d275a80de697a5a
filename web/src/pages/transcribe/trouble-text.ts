import type { ErrorReason, Usage } from "@reelscript/contract";
import { draftOffer, plans, typographic } from "@reelscript/contract/values";
import type { IconName } from "../../components/icon.tsx";
import { quotaSentence } from "../../format.ts";
import type { Trouble } from "./create-jobs.ts";

interface TroubleNote {
  readonly icon: IconName;
  readonly kind: "bad" | "warn";
  /** Shown if the reason has no text of its own; otherwise the service's message is. */
  readonly text?: string;
  /** It isn't known, or isn't shown, whether there was a charge. */
  readonly uncharged?: false;
}

const awaiting = (text: string): TroubleNote => ({ icon: "clock", kind: "warn", text, uncharged: false });
const away: TroubleNote = { icon: "warn", kind: "bad", uncharged: false };
const ours: TroubleNote = { icon: "warn", kind: "bad", text: "Something went wrong on our side." };

const byCode: Readonly<Record<Trouble["code"], TroubleNote>> = {
  notFound: { icon: "lock", kind: "bad" },
  inProgress: awaiting("Someone else is transcribing this reel. You’ll get it free when it’s ready."),
  rateLimited: awaiting("You’re sending requests too fast."),
  unavailable: { icon: "clock", kind: "warn", text: "The service is unavailable right now." },
  upstreamError: { icon: "warn", kind: "bad", text: "We couldn’t reach the platform. Try again in a minute." },
  limitReached: { icon: "gauge", kind: "bad", uncharged: false },
  invalidRequest: { icon: "alert", kind: "bad" },
  unreachable: away,
  timeout: away,
  unexpectedAnswer: away,
  unauthorized: ours,
  internalError: ours,
};

const gone = "This reel is private or was deleted.";
const byReason: Partial<Record<ErrorReason, string>> = {
  reelPrivate: gone,
  reelDeleted: gone,
  accountQueueFull: "You have too many reels waiting.",
  queueFull: "Too many reels are waiting to be transcribed.",
  shuttingDown: "The service is restarting.",
  platformRefused: "The platform isn’t letting us fetch this reel right now. Try again in a few minutes.",
  notAReel: "This link isn’t a reel.",
  notAVideo: "This post has no video.",
  videoTooLarge: "This video is too large to transcribe.",
};
/** The messages for these say that there was no charge. */
const complete: ReadonlySet<ErrorReason | undefined> = new Set<ErrorReason>([
  "noAudio",
  "unreadableMedia",
  "unsupportedLanguage",
  "speechNotRecognized",
]);

export function troubleText({ code, reason, message }: Trouble, usage: Usage | undefined) {
  const { icon, kind, text, uncharged = !complete.has(reason) } = byCode[code];
  const readable = typographic(draftOffer(message).text);
  const ownWords = reason === "platformNotSetUp" ? readable : reason && byReason[reason];
  const said = code === "limitReached" ? limitText(usage) : (ownWords ?? text ?? readable);
  return { icon, kind, text: uncharged ? `${said} You weren’t charged.` : said };
}

/** True if a retry may succeed. */
export function mayHelp({ code }: { readonly code: Trouble["code"] }, usage: Usage | undefined): boolean {
  if (code === "limitReached") return usage !== undefined && usage.transcriptions.used < usage.transcriptions.limit;
  return code !== "invalidRequest" && code !== "notFound" && code !== "unauthorized";
}

function limitText(usage: Usage | undefined): string {
  if (usage === undefined)
    return "You’ve used all transcriptions of your plan. Reels someone already transcribed are free.";
  const { plan, transcriptions } = usage;
  const larger = Object.values(plans).filter((other) => other.transcriptions > plans[plan].transcriptions);
  const sentence = quotaSentence(
    transcriptions,
    larger.map(({ name }) => name),
  );
  return `${sentence} Reels someone already transcribed are free.`;
}
