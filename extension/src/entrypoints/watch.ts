import { answerEvent, listeningEvent, loadingEvent, watchingEvent, type SeenAnswer } from "../platform/seen-answer.ts";

/** Responses that came before the extension's isolated script listens. */
const mostWaiting = 60;
const mostCharacters = 8_000_000;

/**
 * Runs in the page's own world and reads what the page loads, without any requests. It changes no response: the page gets each
 * one untouched, even if something here fails.
 */
let isHeard = false;
let loading = 0;
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

function count(step: 1 | -1): void {
  loading += step;
  document.dispatchEvent(new CustomEvent(loadingEvent, { detail: String(loading) }));
}

function see(address: string, status: number, body: string): void {
  if (body.length <= mostCharacters) tell({ address, status, body });
}

const { fetch: send } = globalThis;
globalThis.fetch = async function fetch(...call) {
  const requestedAddress = addressIn(call[0]);
  if (!isOfInterest(requestedAddress)) return send.apply(this, call);
  count(1);
  try {
    const response = await send.apply(this, call);
    response
      .clone()
      .text()
      .then((body) => see(requestedAddress, response.status, body))
      .catch(() => undefined)
      .finally(() => count(-1));
    return response;
  } catch (error) {
    count(-1);
    throw error;
  }
};

const addresses = new WeakMap<XMLHttpRequest, string>();
const requests = XMLHttpRequest.prototype;
// oxlint-disable typescript/unbound-method -- they are called with the request that they are called on
const { open: openRequest, send: sendRequest } = requests;
// oxlint-enable typescript/unbound-method
requests.open = function open(...call: [method: string, url: string | URL, ...rest: unknown[]]) {
  addresses.set(this, addressIn(call[1]));
  return Reflect.apply(openRequest, this, call) as undefined;
};
requests.send = function send(...body) {
  const address = addresses.get(this) ?? "";
  if (isOfInterest(address)) {
    count(1);
    this.addEventListener("load", () => {
      if (this.responseType === "" || this.responseType === "text") see(address, this.status, this.responseText);
      else if (this.responseType === "json") see(address, this.status, JSON.stringify(this.response));
    });
    this.addEventListener("loadend", () => count(-1), { once: true });
  }
  return sendRequest.apply(this, body);
};

function addressIn(resource: unknown): string {
  try {
    return new URL(resource instanceof Request ? resource.url : String(resource), document.baseURI).href;
  } catch {
    return "";
  }
}

/** The platform's pages load their content from these addresses. */
function isOfInterest(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, pathname } = new URL(address);
  return (
    origin === location.origin &&
    /^\/(?:api\/graphql|graphql\/query|api\/v1\/(?:clips|feed|users|media))/.test(pathname)
  );
}
