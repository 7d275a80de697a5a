import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectExtension } from "../harness/connect-extension.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { sixteenReels } from "../reports/golden.ts";

const service = serviceOfTests({ transcriber: null, bodySeconds: 3_600, stallSeconds: 3_600 });

/** Large bodies of one caller that are read at a time, and those that may wait for that. */
const atATime = 2;
const waiting = 16;

/** A report of which the last byte is missing. */
async function beginReport(token: string) {
  const { hostname, port } = new URL(service.url);
  const body = JSON.stringify(sixteenReels);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  let text = "";
  socket.on("data", (data) => (text += String(data)));
  await once(socket, "connect");
  socket.write(
    `POST /app/api/competitor-reports HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, -1)}`,
  );
  return { finish: () => socket.write(body.slice(-1)), status: () => text.slice(9, 12) };
}

test("a caller has two large bodies read at a time, sixteen wait, and neither keeps another caller waiting", async () => {
  const { token } = await connectExtension(service, await signInNew(service));
  const reports = await Promise.all(Array.from({ length: atATime + waiting + 5 }, () => beginReport(token)));
  const refused = () => reports.filter(({ status }) => status() === "429");
  await expect.poll(() => refused().length).toBe(5);

  const neighbor = await connectExtension(service, await signInNew(service));
  const theirs = await beginReport(neighbor.token);
  theirs.finish();
  await expect.poll(theirs.status).toBe("200");

  expect(refused()).toHaveLength(5);
  for (const report of reports) if (report.status() === "") report.finish();
  await expect
    .poll(() => reports.filter(({ status }) => status() === "200").length, { timeout: 20_000 })
    .toBe(atATime + waiting);
});
