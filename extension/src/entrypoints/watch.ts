import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { answerEvent, listeningEvent, watchingEvent, type SeenAnswer } from "../platform/seen-answer.ts";

/** Answers that came before the extension's own script listens. */
const mostWaiting = 60;
const mostCharacters = 8_000_000;

/**
 * Runs in the page's own world and looks at what the page loads, without asking for anything. It changes no answer: the page
 * gets each one untouched, also when something here fails.
 */
export default defineUnlistedScript(() => {
  let isHeard = false;
  const waiting: SeenAnswer[] = [];

  function tell(answer: SeenAnswer): void {
    if (isHeard) document.dispatchEvent(new CustomEvent(answerEvent, { detail: JSON.stringify(answer) }));
    else if (waiting.length < mostWaiting) waiting.push(answer);
  }
  document.addEventListener(listeningEvent, () => {
    isHeard = true;
    for (const answer of waiting.splice(0)) tell(answer);
  });
  document.dispatchEvent(new CustomEvent(watchingEvent));

  function see(address: string, status: number, body: string): void {
    if (isOfInterest(address) && body.length <= mostCharacters) tell({ address, status, body });
  }

  const { fetch: send } = globalThis;
  globalThis.fetch = async function fetch(...call) {
    const response = await send.apply(this, call);
    if (isOfInterest(response.url))
      response
        .clone()
        .text()
        .then((body) => see(response.url, response.status, body))
        .catch(() => undefined);
    return response;
  };

  const requests = XMLHttpRequest.prototype;
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the request that it is called on
  const sendRequest = requests.send;
  requests.send = function send(...body) {
    this.addEventListener("load", () => {
      if (this.responseType === "" || this.responseType === "text")
        see(this.responseURL, this.status, this.responseText);
      else if (this.responseType === "json") see(this.responseURL, this.status, JSON.stringify(this.response));
    });
    return sendRequest.apply(this, body);
  };
});

/** Where the platform's pages load what they show. */
function isOfInterest(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, pathname } = new URL(address);
  return (
    origin === location.origin &&
    /^\/(?:api\/graphql|graphql\/query|api\/v1\/(?:clips|feed|users|media))/.test(pathname)
  );
}
