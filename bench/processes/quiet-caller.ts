/** A caller with few requests, in its own process, so that only the service's time counts. */
import http from "node:http";

/** Messages from the bench; the caller sends its answers at the end. */
export type QuietOrder = { readonly begin: { readonly url: string; readonly key: string } } | "end";
export interface QuietAnswers {
  /** Milliseconds of each call since it was due. */
  readonly times: readonly number[];
  /** Number of responses other than 200. */
  readonly refused: number;
}

const everyMilliseconds = 50;
const longestMilliseconds = 30_000;

let times: number[] = [];
let refused = 0;
let timer: NodeJS.Timeout | undefined;
const open = new Set<Promise<void>>();

process.on("message", (order: QuietOrder) => {
  if (order !== "end") begin(order.begin);
  else void end();
});
process.on("disconnect", () => process.exit());

function begin(target: { readonly url: string; readonly key: string }): void {
  times = [];
  refused = 0;
  const call = (): void => {
    const called = callOnce(target).finally(() => open.delete(called));
    open.add(called);
  };
  call();
  timer = setInterval(call, everyMilliseconds);
}

async function end(): Promise<void> {
  clearInterval(timer);
  await Promise.all(open);
  process.send?.({ times, refused } satisfies QuietAnswers);
}

/** Opens its own connection each time, because new callers need a place, too. */
function callOnce({ url, key }: { readonly url: string; readonly key: string }): Promise<void> {
  const due = performance.now();
  return new Promise((resolve) => {
    let status: number | undefined;
    const request = http.get(
      `${url}/api/v1/usage`,
      { agent: false, headers: { authorization: `Bearer ${key}` }, timeout: longestMilliseconds },
      (response) => {
        status = response.statusCode;
        response.resume();
      },
    );
    request.on("timeout", () => request.destroy());
    request.on("error", () => undefined);
    request.on("close", () => {
      times.push(performance.now() - due);
      if (status !== 200) refused += 1;
      resolve();
    });
  });
}
