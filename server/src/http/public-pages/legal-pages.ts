import { batchDays, restorableDays } from "@reelscript/contract/values";
import { markup, type Markup } from "../../markup/markup.ts";
import { publicDocument } from "./public-document.ts";

export interface Operator {
  readonly name?: string | undefined;
  /** Lines. */
  readonly address?: string | undefined;
  /** An https or mailto URL. */
  readonly contact?: string | undefined;
}

function operatorMarkup({ name, address, contact }: Operator): Markup {
  if (name === undefined)
    return markup`<p>The operator of this copy of Reelscript has not published a name. If it runs on your own machine, that is you.</p>`;
  const contactText = contact?.replace(/^mailto:/, "").replace(/^https:\/\//, "");
  return markup`<p>${name}${address !== undefined && markup`</p><address>${address}</address><p>`}${contactText !== undefined && markup` <a href="${contact}">${contactText}</a>`}</p>`;
}

/** Lists the data stored about people, and why. */
export const privacyPage = (operator: Operator, isSignedIn: boolean): string =>
  publicDocument({
    isSignedIn,
    title: "Privacy policy · Reelscript",
    description: "What Reelscript stores about you, why, and how to get or delete it.",
    body: markup`<article class="wrap legal"><h1>Privacy policy</h1><p class="hint">We store what the service needs. No ads, no trackers, no third-party scripts.</p><h2>Who is responsible</h2>${operatorMarkup(operator)}<h2>What we store</h2><ul><li>Your email address and name, as your sign-in provider shares them, and your plan.</li><li>Sessions: when you signed in, when you were last active, and the browser’s name. One cookie keeps you signed in. There are no other cookies.</li><li>Your library: the reels you transcribe, their transcripts, captions and public counts. Your reports and your bio page.</li><li>Videos of reels that you send with the browser extension, until they are transcribed or fail. Copies in an object storage are removed soon after that.</li><li>API keys, as hashes, and the last 50 requests of each key: which operation, when, and how it ended, never the contents.</li><li>Webhook endpoints that you add, and for 5 days what is sent to them: ids and reels, never a transcript.</li><li>Programs that you connect: their name and address, and when you last used them.</li></ul><h2>The shared cache</h2><p>Transcripts of public reels are kept in a cache that every account shares. The cache does not show who requested a transcript. To have a reel removed, contact the operator.</p><h2>Visitors of bio pages</h2><p>We count visits without cookies. A fingerprint with a salt that changes every day tells visitors apart within a day. The salt is deleted, so nobody can be followed from one day to the next.</p><h2>Scripts and reports that people share</h2><p>People can share a script or a report by a link. The page sets no cookies and counts no visits. For an hour we remember how often a network opened shared pages and previews of reels, to limit it.</p><h2>Payments</h2><p>Payments are handled by Stripe. We never see card numbers. We store your customer id and the state of your subscription.</p><h2>How long</h2><p>Your data stays until you delete it or your account. You can restore a deleted script for ${restorableDays} days, then it is gone. A batch is kept for ${batchDays} days. When you delete your account, your data is deleted immediately. A fingerprint of the sign-in remains for 24 months, so free transcriptions can’t be claimed twice. Backups are replaced within the operator’s backup cycle.</p><h2>Your rights</h2><p>You can see, export and delete your data yourself under Settings, Account. You can also ask the operator, or complain to a data protection authority.</p></article>`,
  });

/** The rules of using the service. */
export const termsPage = (operator: Operator, isSignedIn: boolean): string =>
  publicDocument({
    isSignedIn,
    title: "Terms of service · Reelscript",
    description: "The rules for using Reelscript, and what you pay for.",
    body: markup`<article class="wrap legal"><h1>Terms of service</h1><p class="hint">Short, so that you can read them.</p><h2>Who you deal with</h2>${operatorMarkup(operator)}<h2>What you get</h2><p>Reelscript transcribes public short videos, keeps your transcripts in a library, analyzes reels you collect, and serves bio pages. Speech recognition makes mistakes, so check a transcript before you rely on it.</p><h2>What you pay</h2><p>Prices are on the <a href="/#pricing">home page</a>. Paid plans renew every month until you cancel. You can cancel at any time; the plan then ends with the period you paid for. A transcription counts against your plan only when it succeeds. Reels someone already transcribed are free.</p><h2>What we ask of you</h2><ul><li>Use only reels you are allowed to use, and respect their authors’ rights.</li><li>Don’t try to get around limits, overload the service or access other people’s data.</li><li>Keep your API keys secret. Revoke a key that leaks.</li><li>Publish nothing unlawful on your bio page.</li></ul><h2>What we may do</h2><p>We may remove content that breaks the law or these terms, and suspend accounts that do. We may change these terms; changes appear on this page.</p><h2>Liability</h2><p>The service is provided as it is. The operator’s liability is limited to what the law requires.</p></article>`,
  });
