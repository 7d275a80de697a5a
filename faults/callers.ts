import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type ErrorCode, errors } from "@reelscript/contract";
import { type Answer as HttpAnswer, ask } from "../bench/load.ts";
import type { Account, KnownReel, Ledger } from "./ledger.ts";
import { Broken, within } from "./waiting.ts";

const mostSeconds = 120;
/** The possible statuses of an error's code. */
const statusesOf: Readonly<Record<string, readonly number[]>> = { invalidRequest: [400, 403, 405, 412, 413, 415, 422] };

interface Options {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly key: string;
  readonly body?: object;
  readonly asynchronous?: boolean | undefined;
}
/** A response: `status` and `body`, or `failure`. */
interface Received {
  readonly status?: number;
  readonly headers?: IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any -- what processes answer that may be broken; each look at it checks
  readonly body?: any;
  readonly failure?: string;
}
export interface Answer extends Received {
  /** Describes a fault in the response, whatever happened to the process. */
  readonly fault: string | undefined;
}
/** A process that calls go to. */
interface Target {
  readonly name: string;
  readonly url?: string | undefined;
  readonly isUp: boolean;
}

function read({ status, headers, body }: HttpAnswer): Received {
  const text = body.toString("utf8");
  try {
    return { status, headers, body: JSON.parse(text) };
  } catch {
    return { failure: `status ${status} with ${JSON.stringify(text.slice(0, 80))}` };
  }
}

export const isServed = ({ status }: Received): boolean => status === 200 || status === 202;

/** Finds a fault in a response, whatever broke; none if the request was served or properly refused. */
function faultIn({ status = 0, headers, body, failure }: Received): string | undefined {
  if (failure !== undefined) return failure;
  if (isServed({ status })) return undefined;
  const { code, message } = (body.error ?? {}) as { code: ErrorCode; message?: string };
  const statuses = statusesOf[code] ?? [errors[code]?.status];
  if (!statuses.includes(status) || typeof message !== "string")
    return `${status} ${JSON.stringify(body).slice(0, 200)}`;
  if (status === 500) return `500 ${message}`;
  if ((status === 429 || status === 503) && !(Number(headers?.["retry-after"]) >= 1))
    return `${status} without Retry-After`;
  return undefined;
}

/** The callers of a round: their requests, and the faults in the responses. */
export interface Callers {
  /** Sends a request to `member`. A connection may break only if the process was down meanwhile. */
  send(member: Target, where: string, options: Options): Promise<Answer>;
  transcribe(
    member: Target,
    account: Account,
    reel: KnownReel,
    options?: Pick<Options, "asynchronous">,
  ): Promise<Answer>;
  /** Retries like a client that obeys "try again"; throws `Broken` if there is no transcript in time. */
  insist(
    members: readonly Target[],
    account: Account,
    reel: KnownReel,
    wish: { readonly seconds: number; readonly what: string },
  ): Promise<Answer>;
  /** Sends calls all the time, until stopped. */
  murmur(members: readonly Target[], account: Account, reels: readonly KnownReel[]): () => Promise<unknown>;
  /** Requests that have no answer yet. */
  unanswered(): string[];
  /** The faults since the last call. */
  takeWrong(): string[];
  counts(): { readonly callCount: number; readonly refused: number };
}

export function createCallers({ ledger }: { readonly ledger: Ledger }): Callers {
  const waiting = new Set<{ readonly what: string }>();
  const wrong: string[] = [];
  let callCount = 0;
  let refused = 0;

  async function send(
    member: Target,
    where: string,
    { method = "GET", key, body, asynchronous = false }: Options,
  ): Promise<Answer> {
    callCount += 1;
    let wasAway = !member.isUp;
    const entry = { what: `${method} ${where} at ${member.name}` };
    waiting.add(entry);
    const watch = setInterval(() => (wasAway ||= !member.isUp), 20);
    const headers = { authorization: `Bearer ${key}`, ...(asynchronous && { prefer: "respond-async" }) };
    const answer = await ask(member.url!, { method, path: where, headers, ...(body && { body }) })
      .then(read, ({ message }: Error): Received => ({ failure: message }))
      .finally(() => clearInterval(watch));
    waiting.delete(entry);
    wasAway ||= !member.isUp;
    const fault = faultIn(answer);
    if (!isServed(answer)) refused += 1;
    if (fault !== undefined && !(wasAway && answer.failure !== undefined)) wrong.push(`${entry.what}: ${fault}`);
    return { ...answer, fault };
  }

  async function transcribe(
    member: Target,
    account: Account,
    reel: KnownReel,
    { asynchronous }: Pick<Options, "asynchronous"> = {},
  ): Promise<Answer> {
    const { key } = account;
    const body = { url: reel.url };
    const answer = await send(member, "/api/v1/transcribe", { method: "POST", key, body, asynchronous });
    if (answer.status === 200) ledger.acknowledge(reel, account, answer.body.transcript);
    return answer;
  }

  return {
    send,
    transcribe,
    async insist(members, account, reel, { seconds, what }) {
      const end = performance.now() + seconds * 1_000;
      let last: Answer | undefined;
      for (let turn = 0; performance.now() < end; turn += 1) {
        const member = members[turn % members.length]!;
        const rest = (end - performance.now()) / 1_000;
        last = await within(rest, `${what} (the last answer: ${describe(last)})`, transcribe(member, account, reel));
        if (last.status === 200) return last;
        if (last.status !== undefined && !errors[last.body.error.code as ErrorCode].retryable) break;
        await pause(200);
      }
      throw new Broken(`${what}: not within ${seconds} s (the last answer: ${describe(last)})`);
    },
    murmur(members, account, reels) {
      let isOver = false;
      const each = members.map(async (member) => {
        for (let turn = 0; !isOver; turn += 1) {
          const { key } = account;
          if (!member.isUp) await pause(100);
          else if (turn % 3 === 0) await send(member, "/api/v1/usage", { key });
          else if (turn % 3 === 1) await send(member, "/api/v1/scripts?query=the", { key });
          else if (reels.length > 0) await transcribe(member, account, reels[turn % reels.length]!);
          await pause(100);
        }
      });
      return () => {
        isOver = true;
        return within(mostSeconds, "every call is answered", Promise.all(each));
      };
    },
    unanswered: () => [...waiting].map(({ what }) => what),
    takeWrong: () => wrong.splice(0),
    counts: () => ({ callCount, refused }),
  };
}

const describe = (answer: Answer | undefined): string =>
  answer === undefined
    ? "none"
    : (answer.failure ??
      `${answer.status} ${answer.body?.error ? `${answer.body.error.code}: ${answer.body.error.message}` : ""}`.trim());
