import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { plainEnvironment, root } from "../harness/start-program.ts";

interface Expected {
  readonly bench: string;
  /** In the output: each figure, without what is on the machine's side. */
  readonly figures: readonly string[];
  /** Sentences of the bench about programs that this machine lacks, and the figures that are then left out. */
  readonly lacks?: readonly { readonly said: string; readonly without: readonly string[] }[];
}

const noPostgres = "left out: no PostgreSQL is installed";
const noOpenssl = "left out: proxies that open no tunnel";
const noChromium = "left out: no Chromium is installed";

const scale = ["database", "slowest kind in libraries of 9", "starts a second", "claim, slowest", "log of a reel"];
const attacks = [
  "8 subtitles at a time of 96,000 characters",
  "64 scripts with words at a time",
  "8 searches at a time in 900 corrected scripts",
  "8 searches at a time in 9 corrected scripts",
  "128 uncompressed OpenAPI documents at a time",
  "10 exports of 900 corrected scripts",
  "an export of 900 scripts by each of 5 accounts",
  "100 refused reports of 1,000 reels",
  "32 refused reports of 7.8 MB at a time",
  "1000 event streams of one account",
  "16 lists of tools at a time, with a valid key",
  "32 share links at a time, looked up in the library",
  "4000 unfinished connections",
].flatMap((attack) => [`${attack}, p99 beside`, `${attack}, peak`]);
const neighbors = [
  ...attacks,
  "2 batches of 3 share links, another account's batch of three reels, beside",
  "2 batches canceled, then all retried, open",
  "a batch that has nothing to retry, retried 1 times, events of it",
];
const exits = ["failed", "transcribed afterward"].map(
  (figure) => `no proxy opens a tunnel for 0 s, 2 reels queued, ${figure}`,
);
const pages = ["largest paint, 60 scripts", "Select to the next paint", "layout shift"];

const benches: readonly Expected[] = [
  {
    bench: "transcriptions",
    figures: ["five readings, time to one reading", "embedded ffmpeg, time to the bare recognizer"],
  },
  {
    bench: "requests",
    figures: [
      "cached transcribe to the bare route",
      "search to the bare route",
      "bio pages to the bare route",
      "cached transcribe_reel by MCP to REST",
    ],
  },
  { bench: "accuracy", figures: ["Long recordings: most words missing in a row"] },
  { bench: "translation", figures: ["Reels of the stand-in, human voices: chrF of"] },
  {
    bench: "gates",
    figures: ["clips without speech that were not left empty", "clips with speech of which nothing was kept"],
  },
  { bench: "scale", figures: scale, lacks: [{ said: noPostgres, without: scale }] },
  { bench: "library", figures: ["60 scripts", ...pages], lacks: [{ said: noChromium, without: pages }] },
  { bench: "batches", figures: ["single reel beside a batch, to the same alone"] },
  {
    bench: "neighbors",
    figures: [...neighbors, ...exits],
    lacks: [
      { said: noPostgres, without: [...neighbors, ...exits] },
      { said: noOpenssl, without: exits },
    ],
  },
  { bench: "reports", figures: ["accounts with a claim", "shuffled accounts with a claim"] },
  { bench: "start", figures: ["first start, fresh data folder", "later start", "Ctrl-C until it has ended"] },
];

async function runBench(...parameters: string[]): Promise<{ code: number | null; printed: string }> {
  const { CHROMIUM, SPEECH_DIR } = process.env;
  const child = spawn(process.execPath, ["dist/bench/main.js", ...parameters], {
    cwd: root,
    env: { ...plainEnvironment(), ...(CHROMIUM && { CHROMIUM }), ...(SPEECH_DIR && { SPEECH_DIR }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => void (printed += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, printed };
}

/** The texts of the lines that end in a number, its unit and perhaps an aim. */
const figuresIn = (printed: string): string[] =>
  printed.split("\n").flatMap((line) => /^ {2}(\S.*?) {2,}-?\d[\d.]*(?: \S+)?(?: {2}aim: .*)?$/u.exec(line)?.[1] ?? []);

test.each(benches)("the bench $bench measures all that it promises", async ({ bench, figures, lacks = [] }) => {
  const { code, printed } = await runBench("--smallest", "--only", bench);
  expect(code, printed).toBe(0);
  const lacking = lacks.filter(({ said }) => printed.includes(said));
  for (const { said } of lacking) console.warn(`SKIPPED: of the bench ${bench}, figures were ${said}`);
  const without = new Set(lacking.flatMap((lack) => lack.without));
  const measured = figuresIn(printed);
  const missing = figures.filter((figure) => !without.has(figure) && !measured.some((what) => what.startsWith(figure)));
  expect(missing, printed).toEqual([]);
});

test("every bench is among them, and takes nothing that it can't measure", async () => {
  const { printed } = await runBench("--help");
  const [, names = ""] = /--only NAME\s+one of ([^;]+);/.exec(printed) ?? [];
  expect(names.split(", ").toSorted()).toEqual(benches.map(({ bench }) => bench).toSorted());
  for (const wrong of [
    ["--only", "nothing"],
    ["--smallest", "--write"],
    ["--transcripts", "10"],
  ])
    expect(await runBench(...wrong)).toMatchObject({ code: 1, printed: expect.stringContaining("npm run bench") });
});
