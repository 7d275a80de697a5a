import { createHmac } from "node:crypto";
import { BlockList, isIPv4 } from "node:net";
import type { WebhookSender } from "../../ports.ts";
import { isHiddenLiteral, isPublicAddress } from "./guarded-lookup.ts";
import { guardedRequest, type Reach, isAtAllowedOrigin } from "./guarded-fetch.ts";

const longestMilliseconds = 5_000;

interface WebhookSenderOptions {
  /** In development, where receivers are tried on the same machine. */
  readonly mayBeLoopback: boolean;
  /** The operator's own networks, such as `172.18.0.0/16`, where receivers may use http, on any port. */
  readonly allowedNetworks?: readonly string[] | undefined;
  /** Only for tests. */
  readonly nameServers?: readonly string[] | undefined;
}

/** Signs as Standard Webhooks say. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { mayBeLoopback, allowedNetworks = [], nameServers } = options;
  const allowed = new BlockList();
  for (const network of allowedNetworks) {
    const [address = "", prefix] = network.split("/");
    allowed.addSubnet(address, Number(prefix), familyOf(address));
  }
  const isAllowed = (address: string): boolean => allowed.check(address, familyOf(address));

  function reachOf(url: URL): Reach {
    const isLoopback = mayBeLoopback && url.protocol === "http:" && loopbackHosts.has(url.hostname);
    if (isLoopback) return { origins: [url.origin], mayBePrivate: true, silenceSeconds: 5 };
    const isUsual = url.protocol === "https:" && url.port === "";
    return isUsual || allowedNetworks.length === 0
      ? { ...guarded, origins: ["https://*"], mayReach: (address) => isPublicAddress(address) || isAllowed(address) }
      : { ...guarded, origins: [url.origin], mayReach: isAllowed };
  }
  function accepts(url: URL): boolean {
    const { origins, mayBePrivate, mayReach } = reachOf(url);
    return isAtAllowedOrigin(url, origins) && (mayBePrivate || !isHiddenLiteral(url.hostname, mayReach));
  }
  return {
    accepts,
    async send(url, { id, body, secrets, now }, signal) {
      if (!accepts(url)) return { status: null, problem: "refused" };
      const timestamp = String(Math.floor(now.getTime() / 1_000));
      const signed = `${id}.${timestamp}.${body}`;
      const signatures = secrets.map((secret) => `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`);
      const headers = {
        "content-type": "application/json",
        "user-agent": "Reelscript-Webhooks/1.0",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": signatures.join(" "),
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
        answer.message.destroy();
        const { status } = answer;
        return { status, problem: status >= 200 && status < 300 ? null : "status" };
      } catch {
        signal.throwIfAborted();
        // Strangers must not find out that a name leads to a private address.
        return { status: null, problem: deadline.aborted ? "timeout" : "unreachable" };
      }
    },
  };
}

const guarded = { mayBePrivate: false, silenceSeconds: 5 } as const;
const familyOf = (address: string): "ipv4" | "ipv6" => (isIPv4(address) ? "ipv4" : "ipv6");
const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
