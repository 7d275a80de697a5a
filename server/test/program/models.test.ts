import { randomUUID } from "node:crypto";
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { embeddedHeads, embeddedModelDirectory } from "@reelscript/whisper";
import { describe, expect, test } from "vitest";
import { operate } from "../admin/run-program.ts";
import { rest, transcribe, used } from "../harness/rest.ts";
import { startEndpoint } from "../harness/start-endpoint.ts";
import { programsOfTests, root } from "../harness/start-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const directory = directoryOfTests();
const start = programsOfTests(directory);

async function overviewOf(url: string) {
  const { model, languages } = (await rest(url, "/overview")).body;
  const row = (code: string) => languages.find((one: { code: string }) => one.code === code);
  return { model, hi: row("hi").quality, te: row("te").quality, en: row("en").quality, ta: row("ta") };
}

async function reelIn(language: string): Promise<string> {
  const rows = JSON.parse(await readFile(path.join(root, "platform-standin/reels/reels.json"), "utf8")) as {
    language: string;
    code: string;
  }[];
  return rows.find((row) => row.language === language)?.code ?? expect.fail(`no reel in ${language}`);
}

describe("a language that the model cannot read", () => {
  test("is named at the start, in refusals, and with the remedy", async () => {
    const program = await start({});
    const { url, key } = program;
    expect(program.printed()).toMatch(/languages\s+English, Spanish and \w+ more\. .*Hindi.* rough drafts?\./);
    expect(program.printed()).toContain("Telugu: not supported by this model. The README says what may help.");
    expect(await overviewOf(url)).toMatchObject({ model: "whisper-base", hi: "poor", te: "unusable", en: "good" });

    const reel = `${program.standin}/reel/${await reelIn("te")}/`;
    const { status, body } = await transcribe(url, key, reel);
    expect([status, body.error.message]).toEqual([
      422,
      "We can't transcribe Telugu reliably with the current model. You weren't charged.",
    ]);
    expect(await used(url, key)).toBe(0);
    await expect
      .poll(program.printed)
      .toContain(
        '"msg":"Telugu: not supported by this model. The README says what may help. Measure it with clips of your own: npx --no-install reelscript model test --language te --clips FOLDER',
      );

    // While the service runs: the choice waits for the next start.
    const added = await operate(["model", "add", embeddedModelDirectory, "--language", "hi"], {
      directory: root,
      environment: { DATA_DIR: directory },
    });
    expect(added).toMatchObject({ code: 0, lastLine: "local/whisper-base" });
    const head = path.join(directory, "heads/ta");
    await cp(embeddedHeads["hi"]!, head, { recursive: true });
    const manifest = JSON.parse(await readFile(path.join(head, "head.json"), "utf8"));
    await writeFile(path.join(head, "head.json"), JSON.stringify({ ...manifest, language: "ta", name: "ta-own" }));
    const errors = { wordErrorPercent: 31.4, clips: 60, refused: 2, speakers: 12 };
    await writeFile(path.join(head, "measured.json"), JSON.stringify(errors));
    expect(await overviewOf(url)).toMatchObject({ hi: "poor", ta: { quality: "unreliable" } });
    await program.end("SIGTERM");
  });

  test("is the model's business that was chosen for it", async () => {
    const program = await start({});
    expect(program.printed()).toContain("Telugu: not supported by this model.");
    expect(program.printed()).not.toContain("Hindi:");
    expect(await overviewOf(program.url)).toMatchObject({
      model: "whisper-base+ta:ta-own+hi:whisper-base",
      hi: "unmeasured",
      te: "unusable",
      en: "good",
      ta: { quality: "fair", wordErrorPercent: 31.4, recordings: 60 },
    });
    await program.end("SIGTERM");
  });

  test("goes to its own endpoint, and its transcript is shared", async () => {
    const words = "नमस्ते दोस्तों आज हम चाय बनाएँगे";
    const endpoint = await startEndpoint({ text: words, language: "hindi", seconds: 8 });
    const program = await start({
      TRANSCRIBER_HI: "openai",
      OPENAI_BASE_URL_HI: endpoint.baseUrl,
      OPENAI_API_KEY_HI: "secret",
      OPENAI_MODEL_HI: "large",
    });
    const { url, standin } = program;
    expect(program.printed()).toContain("hi by large at an endpoint");
    expect(await overviewOf(url)).toMatchObject({
      model: "whisper-base+ta:ta-own+hi:large",
      hi: "unmeasured",
      en: "good",
    });

    const [sender, other] = await Promise.all([createKey(), createKey()]);
    const hindi = `${standin}/reel/${await reelIn("hi")}/`;
    const answer = { transcript: words, language: "hi" };
    expect(await transcribe(url, sender, hindi)).toMatchObject({ status: 200, body: { ...answer, cached: false } });
    expect(await transcribe(url, other, hindi)).toMatchObject({ status: 200, body: { ...answer, cached: true } });
    expect(await transcribe(url, other, `${standin}/reel/CenOneSecon/`)).toMatchObject({
      status: 200,
      body: { language: "en", cached: false },
    });
    expect(endpoint.requests.map(({ authorization }) => authorization)).toEqual(["Bearer secret"]);
    await program.end("SIGTERM");
    await endpoint.close();
  });
});

async function createKey(): Promise<string> {
  const admin = (...args: string[]) => operate(args, { directory: root, environment: { DATA_DIR: directory } });
  const email = `${randomUUID()}@example.org`;
  const { lastLine: account } = await admin("account", "create", "--email", email);
  return (await admin("key", "create", "--account", account)).lastLine;
}
