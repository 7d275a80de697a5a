import type { ReelCollection } from "@reelscript/contract";
import { button, linkButton, note, troubleNote } from "../interface/controls.ts";
import { actButton } from "./act-button.ts";
import { element, paragraph, saveFile } from "../interface/element.ts";
import { counted, exactNumber } from "../interface/format.ts";
import { CallError } from "@reelscript/client/core";
import { dropPending } from "../service/pending-reports.ts";

/** A person can send or discard reels that were collected but not sent. */
interface UnsentActions {
  readonly send: (collection: ReelCollection) => Promise<void>;
  readonly onDiscard: () => Promise<void>;
}

/** Reels from an earlier visit that are still in this browser. */
export const unsentNote = (collection: ReelCollection, actions: UnsentActions): HTMLElement =>
  note(
    "warn",
    paragraph(`${reelCount(collection)} from ${new Date(collection.collectedAt).toLocaleString()} were not sent.`),
    element("div", { class: "row wrap" }, ...buttonsFor(collection, actions)),
  );

/** Says why the service did not accept the reels, and offers next steps. */
export const refusedPart = (
  collection: ReelCollection,
  trouble: CallError,
  baseUrl: string,
  actions: UnsentActions,
): HTMLElement =>
  element(
    "div",
    { class: "row wrap" },
    troubleNote(trouble.code === "inProgress" ? stillWorking(trouble) : trouble),
    paragraph(`The ${reelCount(collection)} you collected are kept in this browser. ${countOf(trouble)}`),
    trouble.code === "limitReached" && linkButton("See plans", `${baseUrl}/app/usage`),
    ...buttonsFor(collection, actions),
  );

/** The service's own message names a header that people don't know. */
const stillWorking = ({ code, ...details }: CallError): CallError =>
  new CallError(code, "Reelscript is still working on these reels. Try again in a minute.", details);

/** After any error except these two, the service may have accepted the reels anyway. */
const countOf = ({ code }: CallError): string =>
  code === "limitReached" || code === "invalidRequest"
    ? "Your usage didn’t change."
    : "Sending them again counts them only once.";

const reelCount = ({ reels }: ReelCollection): string => counted(reels.length, "reel", "reels");

const buttonsFor = (collection: ReelCollection, { send, onDiscard }: UnsentActions): Node[] => [
  actButton("Send again", () => send(collection), { kind: "quiet" }),
  button("Save as file", () => saveCollection(collection), { kind: "quiet", icon: "download" }),
  button(
    "Discard",
    async () => {
      await dropPending(collection);
      await onDiscard();
    },
    { kind: "danger" },
  ),
];

/** The dashboard can import this file. */
function saveCollection(collection: ReelCollection): void {
  const day = collection.collectedAt.slice(0, 10);
  saveFile(
    `${collection.handle}-${day}-${exactNumber(collection.reels.length)}-reels.json`,
    "application/json",
    JSON.stringify(collection, null, 2),
  );
}
