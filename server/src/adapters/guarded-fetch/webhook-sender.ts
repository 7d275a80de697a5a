import { createHmac } from "node:crypto";
import type { WebhookAnswer, WebhookSender } from "../../ports.ts";
import { FetchFailure } from "./fetch-failure.ts";
import { isHiddenLiteral } from "./guarded-lookup.ts";
import { guardedRequest, type Reach } from "./guarded-request.ts";
import { isAtAllowedOrigin } from "./origin-list.ts";
import { dropBody } from "./read-body.ts";

const longestMilliseconds = 5_000;

/** Signs as Standard Webhooks say. `mayBeLoopback`: in development, where receivers are tried on the same machine. */
export function createWebhookSender({
  mayBeLoopback,
  resolveHost,
}: { readonly mayBeLoopback: boolean } & Pick<Reach, "resolveHost">): WebhookSender {
  function reachOf(url: URL): Reach {
    const isLoopback = mayBeLoopback && url.protocol === "http:" && loopbackHosts.has(url.hostname);
    return isLoopback
      ? { origins: [url.origin], mayBePrivate: true, silenceSeconds: 5 }
      : { origins: ["https://*"], mayBePrivate: false, silenceSeconds: 5, resolveHost };
  }
  return {
    accepts(url) {
      const { origins, mayBePrivate } = reachOf(url);
      return isAtAllowedOrigin(url, origins) && (mayBePrivate || !isHiddenLiteral(url.hostname));
    },
    async send(url, { id, body, secret, now }, signal) {
      const timestamp = String(Math.floor(now.getTime() / 1_000));
      const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
      const headers = {
        "content-type": "application/json",
        "user-agent": "Reelscript-Webhooks/1.0",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${signature}`,
      };
      const deadline = AbortSignal.timeout(longestMilliseconds);
      try {
        const bounded = AbortSignal.any([signal, deadline]);
        const answer = await guardedRequest(url, { method: "POST", headers, body }, reachOf(url), bounded);
        dropBody(answer);
        const { status } = answer;
        return { status, problem: status >= 200 && status < 300 ? null : "status" };
      } catch (error) {
        signal.throwIfAborted();
        return { status: null, problem: problemOf(error, deadline) };
      }
    },
  };
}

const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

function problemOf(error: unknown, deadline: AbortSignal): NonNullable<WebhookAnswer["problem"]> {
  if (deadline.aborted) return "timeout";
  const causes = [error, error instanceof Error ? error.cause : undefined];
  return causes.some((one) => one instanceof FetchFailure && one.reason === "refused") ? "refused" : "unreachable";
}
