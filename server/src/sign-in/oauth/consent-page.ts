import { markup } from "../../markup/markup.ts";
import { page, pageHeadersWith } from "../../markup/page.ts";
import { formTargetOf, thisComputer } from "./program-metadata.ts";

/** A program's request for consent. */
export interface Asking {
  readonly name: string;
  /** The program's address as people see it. */
  readonly address: string;
  /** The host whose document describes the program; without one only the program itself does. */
  readonly document: string | undefined;
  readonly scopes: readonly string[];
  readonly email: string;
}

/**
 * The answer to the form redirects to the program, which browsers check against the policy. A program's window may be waiting
 * for it.
 */
export const consentHeaders = (redirectUri?: string): Record<string, string> => ({
  ...pageHeadersWith(redirectUri === undefined ? [] : [formTargetOf(redirectUri)]),
  "cross-origin-opener-policy": "unsafe-none",
});

const may = {
  read: "See your scripts, reports, bio page and quota",
  full: "Transcribe reels, which uses your quota, and change your bio page",
};

/** The form returns `proof` with the answer. */
export function consentPage({ name, address, document, scopes, email }: Asking, proof: string): string {
  const offersBoth = scopes.length > 1;
  const full = scopes.includes("full");
  return page(
    `Connect ${name}?`,
    markup`<p><b>${name}</b> ${address === thisComputer ? "on" : "at"} <b>${address}</b> asks to use Reelscript as <b>${email}</b>.</p>
<form method="post">
<input type="hidden" name="proof" value="${proof}">
${
  offersBoth
    ? markup`<fieldset><legend>It may</legend>
<label class="choice"><input type="radio" name="access" value="full" checked><span>${may.read}. ${may.full}.</span></label>
<label class="choice"><input type="radio" name="access" value="read"><span>${may.read}. Nothing else.</span></label>
</fieldset>`
    : markup`<p>It may: ${may.read.toLowerCase()}${full ? markup`; ${may.full.toLowerCase()}` : ""}.</p>`
}
<p class="hint">${
      document === undefined
        ? "We can’t verify this name. Allow access only if you just started this from that program."
        : markup`${document} confirms that this is its program.`
    } It uses one of your key slots, with that slot’s quota. You can disconnect it under API keys.</p>
<button class="button" name="answer" value="allow">Allow</button>
<button class="button quiet" name="answer" value="deny">Don’t allow</button>
</form>`,
  );
}
