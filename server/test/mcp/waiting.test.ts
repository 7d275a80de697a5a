import { expect, test } from "vitest";
import { connectAgent } from "../harness/connect-mcp.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { transcribeLater } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const gate = createGatedTranscriber();
const service = serviceOfTests({ transcriber: gate });

test("a reel that is being transcribed isn't an error of the tool, and a wrong link is", async () => {
  const url = service.newReel();
  const [first, second] = await Promise.all([service.createCaller(), service.createCaller()]);
  gate.close();
  await transcribeLater(service.url, first.key, url);
  const { call, close } = await connectAgent(service.url, second.key);
  const running = await call("transcribe_reel", { url });
  expect(running.text).toMatch(/^\[inProgress\] /);
  expect(running.isError).toBe(false);
  gate.open();
  await expect.poll(async () => (await call("transcribe_reel", { url })).data.transcript).toContain("same sentence");
  expect((await call("transcribe_reel", { url: "not a link" })).isError).toBe(true);
  await close();
});
