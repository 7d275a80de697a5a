import type { ServerResponse } from "node:http";

const dripMilliseconds = 200;

/** Sends a byte now and then, for as long as the caller stays. */
export function dripBody(response: ServerResponse, body: Buffer): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent >= body.length) {
      clearInterval(timer);
      response.end();
      return;
    }
    response.write(body.subarray(sent, sent + 1));
    sent += 1;
  }, dripMilliseconds);
  response.on("close", () => clearInterval(timer));
}

/** Sends `head` and then `chunk` again and again, as fast as the caller reads, until it leaves or `atMost` bytes went out. */
export function endlessBody(response: ServerResponse, head: Buffer, chunk: Buffer, atMost = Infinity): void {
  let left = atMost - head.length;
  let gone = false;
  response.on("close", () => (gone = true));
  const pump = () => {
    while (!gone && left > 0) {
      const part = left < chunk.length ? chunk.subarray(0, left) : chunk;
      left -= part.length;
      if (!response.write(part)) {
        response.once("drain", () => setImmediate(pump));
        return;
      }
    }
    if (!gone) response.end();
  };
  response.write(head);
  pump();
}
