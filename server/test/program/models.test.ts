import { mkdtemp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { embeddedModelDirectory } from "@reelscript/whisper";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminProgram, runProgram } from "../admin/run-program.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { rest, transcribe, used } from "../harness/rest.ts";
import { root, startProgram, type Program } from "../harness/start-program.ts";
import { temporaryPlace } from "../harness/temporary-place.ts";

let directory: string;
const programs: Program[] = [];
beforeAll(async () => {
  directory = await mkdtemp(path.join(temporaryPlace, "reelscript-chosen-"));
  await placeMigratedDatabase(directory);
});
afterAll(async () => {
  for (const program of programs) await program.end("SIGKILL");
  await rm(directory, { recursive: true, force: true });
});

async function start() {
  const program = await startProgram({ DATA_DIR: directory });
  programs.push(program);
  const printed = program.printed();
  const found = (pattern: RegExp): string =>
    pattern.exec(printed)?.[1] ?? expect.fail(`${pattern} is not in ${printed}`);
  return { program, printed, found, url: found(/REST\s+(\S+)\/api\/v1/) };
}

async function overviewOf(url: string) {
  const { model, languages } = (await rest(url, "/overview")).body;
  const qualityOf = (code: string): string => languages.find((row: { code: string }) => row.code === code).quality;
  return { model, hi: qualityOf("hi"), te: qualityOf("te"), en: qualityOf("en") };
}

async function hindiReel(): Promise<string> {
  const rows = JSON.parse(await readFile(path.join(root, "platform-standin/reels/reels.json"), "utf8")) as {
    language: string;
    code: string;
  }[];
  return rows.find(({ language }) => language === "hi")?.code ?? expect.fail("no reel in Hindi");
}

describe("a language that the model cannot read", { timeout: 300_000 }, () => {
  test("is named at the start, to callers as a refusal, and to the operator with the remedy", async () => {
    const { program, printed, found, url } = await start();
    expect(printed).toContain(
      "Hindi and Telugu: not supported by this model. Add a larger one: npx reelscript model add onnx-community/whisper-small --language hi",
    );
    expect(await overviewOf(url)).toEqual({ model: "whisper-base", hi: "unusable", te: "unusable", en: "good" });

    const key = found(/your key\s+(svc_sk_\w{49})/);
    const reel = `${found(/stand-in\s+(\S+)/)}/reel/${await hindiReel()}/`;
    const { status, body } = await transcribe(url, key, reel);
    expect([status, body.error.message]).toEqual([
      422,
      "We can't transcribe Hindi reliably with the current model. You weren't charged.",
    ]);
    expect(await used(url, key)).toBe(0);
    expect(program.printed()).toContain(
      '"msg":"Hindi: not supported by this model. Add a larger one: npx reelscript model add',
    );

    // While the service runs: the choice waits for the next start.
    const added = await runProgram(adminProgram, ["model", "add", embeddedModelDirectory, "--language", "hi"], {
      directory: root,
      environment: { DATA_DIR: directory },
    });
    expect(added).toMatchObject({ code: 0, lastLine: "local/whisper-base" });
    expect((await overviewOf(url)).hi).toBe("unusable");
    await program.end("SIGTERM");
  });

  test("is the model's business that was chosen for it", async () => {
    const { printed, url } = await start();
    expect(printed).toContain("Telugu: not supported by this model.");
    expect(printed).not.toContain("Hindi");
    expect(await overviewOf(url)).toEqual({
      model: "whisper-base+hi:whisper-base",
      hi: "unmeasured",
      te: "unusable",
      en: "good",
    });
  });
});
