import { browser } from "@wxt-dev/browser";
import { number, shape, text, type Guarded } from "../messages/guards.ts";
import { asCallError, serviceAt } from "./call.ts";
import { keepConnection } from "./connection.ts";
import { syncLibrary } from "./library.ts";

const isAttempt = shape({ baseUrl: text(2_048), state: text(128), verifier: text(128), tabId: number });
type Attempt = Guarded<typeof isAttempt>;

/** Sends this tab to the service's page where the signed-in person approves. */
export async function beginConnecting(baseUrl: string): Promise<void> {
  const tab = await browser.tabs.getCurrent();
  if (tab?.id === undefined) throw new Error("connecting needs a tab");
  const attempt: Attempt = { baseUrl, state: randomWord(), verifier: randomWord(), tabId: tab.id };
  await browser.storage.session.set({ attempt });
  const query = new URLSearchParams({ challenge: await challengeOf(attempt.verifier), state: attempt.state });
  await browser.tabs.update(tab.id, { url: `${baseUrl}/connect?${query.toString()}` });
}

/** Checks the new address of a tab: if it is the expected answer, exchanges its code for a token. */
export async function finishConnecting(tabId: number, address: string): Promise<void> {
  const { attempt } = await browser.storage.session.get("attempt");
  if (!isAttempt(attempt) || attempt.tabId !== tabId) return;
  const answer = answerIn(address, attempt);
  if (answer === undefined) return;
  // A code works for one try, whatever the result.
  await browser.storage.session.remove("attempt");
  const outcome = "error" in answer ? "denied" : await exchange(attempt, answer.code);
  await browser.tabs.update(tabId, { url: `${browser.runtime.getURL("/connect.html")}#${outcome}` });
}

function answerIn(
  address: string,
  { baseUrl, state }: Attempt,
): { readonly code: string } | { readonly error: true } | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.origin + url.pathname !== `${baseUrl}/app/connect/done`) return undefined;
  const answer = new URLSearchParams(url.hash.slice(1));
  if (answer.get("state") !== state) return undefined;
  const code = answer.get("code");
  return code === null ? { error: true } : { code };
}

async function exchange({ baseUrl, verifier }: Attempt, code: string): Promise<"connected" | "failed" | "unreachable"> {
  try {
    const { token, account } = await serviceAt({ baseUrl, token: undefined }).call("connectExtension", {
      code,
      verifier,
    });
    if (!text(512)(token) || token === "") return "failed";
    await keepConnection({ baseUrl, token, name: text(320)(account.email) ? account.email : undefined });
  } catch (error) {
    return asCallError(error).code === "unreachable" ? "unreachable" : "failed";
  }
  await syncLibrary();
  return "connected";
}

const randomWord = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

const challengeOf = async (verifier: string): Promise<string> =>
  base64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
