import { expect, test } from "vitest";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { aSender as senderTo } from "./media-sender.ts";

const transcriber = createScriptedTranscriber();
const rateLimits = { default: 1_000, transcribe: 1_000, address: 10_000 };
const service = serviceOfTests({ transcriber, rateLimits });

async function aSender() {
  const sender = await senderTo(service);
  const sendAndEnd = async (reel: string, text: string): Promise<number> => {
    transcriber.tell({ text });
    await sender.sendAndEnd(reel);
    return sender.used();
  };
  return { ask: sender.ask, sendAndEnd, reel: service.newReel() };
}

const recipe =
  "First warm the milk, then stir in two spoons of honey and a pinch of salt until the whole pot smells of summer.";

test.each([
  ["silence", "", 0],
  ["a word of it", "Salt.", 1],
  ["the first third of it", recipe.slice(0, 40), 1],
  [
    "something else of the same length",
    "Today we walk along the old wall of the town and count how many of its nine towers are still there to see.",
    1,
  ],
  ["all its words in a text three times as long", `${recipe} ${"Nobody asked for this part. ".repeat(9)}`, 1],
])("hearing a public reel is charged to the account that sent %s for it", async (_what, sentMedia, charged) => {
  const sender = await aSender();
  expect(await sender.sendAndEnd(sender.reel, sentMedia)).toBe(charged);
  transcriber.tell({ text: recipe });
  const answer = await sender.ask("/transcribe", { body: { url: sender.reel } });
  expect(answer).toMatchObject({ status: 200, body: { transcript: recipe, usage: { used: charged + 1 } } });
});

test("hearing a public reel is free for its sender, despite differing words", async () => {
  const sender = await aSender();
  await sender.sendAndEnd(sender.reel, recipe.replace("honey", "money").replace("pot", "spot").toUpperCase());
  transcriber.tell({ text: recipe });
  const answer = await sender.ask("/transcribe", { body: { url: sender.reel } });
  expect(answer).toMatchObject({ status: 200, body: { cached: false, usage: { used: 1 } } });
});

test("an account gets ten texts for its ten units, whatever it sends", async () => {
  const sender = await aSender();
  const { standin } = service;
  let texts = 0;
  for (let round = 0; round < 12; round += 1) {
    const reel = standin.urlOf(standin.addReel({ bytes: Buffer.from("sound") }).code);
    await sender.sendAndEnd(reel, "").catch(() => undefined);
    transcriber.tell({ text: `${recipe} ${round}` });
    const { status, body } = await sender.ask("/transcribe", { body: { url: reel } });
    if (status === 200) texts += 1;
    else {
      expect(body.error.code).toBe("limitReached");
      break;
    }
  }
  expect(texts).toBe(10);
});
