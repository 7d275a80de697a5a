import { createHmac } from "node:crypto";
import type { WebhookSender } from "../../ports.ts";
import { isHiddenLiteral } from "./guarded-lookup.ts";
import { guardedRequest, type Reach } from "./guarded-request.ts";
import { isAtAllowedOrigin } from "./origin-list.ts";
import { dropBody } from "./read-body.ts";

const longestMilliseconds = 5_000;

interface WebhookSenderOptions {
  /** In development, where receivers are tried on the same machine. */
  readonly mayBeLoopback: boolean;
  /** Only for tests. */
  readonly nameServers?: readonly string[] | undefined;
}

/** Signs as Standard Webhooks say. */
export function createWebhookSender({ mayBeLoopback, nameServers }: WebhookSenderOptions): WebhookSender {
  function reachOf(url: URL): Reach {
    const isLoopback = mayBeLoopback && url.protocol === "http:" && loopbackHosts.has(url.hostname);
    return isLoopback
      ? { origins: [url.origin], mayBePrivate: true, silenceSeconds: 5 }
      : { origins: ["https://*"], mayBePrivate: false, silenceSeconds: 5 };
  }
  function accepts(url: URL): boolean {
    const { origins, mayBePrivate } = reachOf(url);
    return isAtAllowedOrigin(url, origins) && (mayBePrivate || !isHiddenLiteral(url.hostname));
  }
  return {
    accepts,
    async send(url, { id, body, secret, now }, signal) {
      if (!accepts(url)) return { status: null, problem: "refused" };
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
        const answer = await guardedRequest(
          url,
          { method: "POST", headers, body },
          { ...reachOf(url), nameServers },
          bounded,
        );
        dropBody(answer);
        const { status } = answer;
        return { status, problem: status >= 200 && status < 300 ? null : "status" };
      } catch {
        signal.throwIfAborted();
        // Whether a name leads to a private address is nothing that strangers may find out.
        return { status: null, problem: deadline.aborted ? "timeout" : "unreachable" };
      }
    },
  };
}

const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
