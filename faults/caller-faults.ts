import { setTimeout as pause } from "node:timers/promises";
import type { Fault, Round } from "./run-round.ts";
import { until } from "./waiting.ts";

const waitingReels = 100;
const standstillSeconds = 15;
const captions = {
  "60,000 Chinese characters": "汉字測試語言".repeat(10_000),
  "60,000 Japanese characters": "これは長い字幕です".repeat(6_667),
  "characters that no text has": `before\u0000after\u0000${"\u0000".repeat(1_000)}\uD800\uDFFF\uFFFE\u0001`,
  "changes of direction": `${"\u202E\u2066\u2067\u202B".repeat(5_000)}abc${"\u2069\u202C".repeat(5_000)}`,
  "one long word": "a".repeat(60_000),
  "marks on one letter": `e${"\u0301".repeat(60_000)}`,
};

export const callerFaults: Fault[] = [
  { name: "caller greedy", seconds: 300, run: (round) => beGreedy(round) },
  ...Object.entries(captions).map(([what, text]) => ({
    name: `caption of ${what}`,
    run: (round: Round) => serveWithCaption(round, text),
  })),
];

/** One account has a hundred waiting reels, and another one requests one. */
async function beGreedy(round: Round): Promise<void> {
  const { world, callers } = round;
  const { greedy } = world.accounts;
  const apis = world.apis();
  const reels = await Promise.all(Array.from({ length: waitingReels }, () => world.addReel("shortest")));
  const answers = await Promise.all(
    reels.map((reel, index) => callers.transcribe(apis[index % apis.length]!, greedy, reel, { asynchronous: true })),
  );
  const started = answers.filter(({ status }) => status === 202).length;
  if (started < waitingReels) round.broken(`only ${started} of ${waitingReels} reels were taken`);
  for (let probes = 0; probes < 3; probes += 1) {
    await round.probe();
    await pause(500);
  }
  await eachInItsTurn(round);
  for (const reel of reels.slice(-3)) await round.served({ reel, account: greedy });
}

/** How long a hundred reels take depends on the machine, but they must finish one after another. */
async function eachInItsTurn({ world, callers }: Round): Promise<void> {
  const { key } = world.accounts.greedy;
  for (let done = 0; done < waitingReels;)
    done = await until(
      standstillSeconds * world.patience,
      `more than ${done} reels of the greedy account`,
      async () => {
        const { body } = await callers.send(world.apis()[0]!, "/api/v1/scripts", { key });
        const total = Number(body?.total);
        return total > done ? total : 0;
      },
      { every: 500 },
    );
}

async function serveWithCaption(round: Round, caption: string): Promise<void> {
  const { world } = round;
  const account = world.accounts.cleo;
  const reel = await world.addReel("short", { caption });
  await round.served({ reel, account });
  await round.probe();
}
