import { afterAll, describe, expect, test } from "vitest";
import { temporaryDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { transcribeLater } from "../harness/rest.ts";
import { startProgram, type Program } from "../harness/start-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const followers = 100;

describe.skipIf(testDatabaseUrl === undefined)("a process with many followers (runs with TEST_DATABASE_URL)", () => {
  const directory = directoryOfTests();
  const closers: (() => Promise<unknown>)[] = [];
  /** Without a worker, so that nothing that is followed ever ends. */
  const start = async (): Promise<Program> => {
    const { databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl ?? "");
    closers.push(drop);
    const program = await startProgram({
      DATA_DIR: directory,
      DATABASE_URL: databaseUrl,
      ROLE: "api",
      DRAIN_SECONDS: "0",
      RATE_LIMIT_DEFAULT: "10000",
    });
    closers.push(() => program.end("SIGKILL"));
    return program;
  };
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });

  test("prints no warning about listeners, neither while they wait nor when it ends", async () => {
    const program = await start();
    const found = (pattern: RegExp): string =>
      pattern.exec(program.printed())?.[1] ?? expect.fail(`${pattern} is not in:\n${program.printed()}`);
    const url = found(/REST\s+(\S+)\/api\/v1/);
    const key = found(/your key\s+(svc_sk_\w{49})/);
    const reel = `${found(/stand-in\s+(\S+)/)}/reel/CfmFifteenM/`;
    const id = await transcribeLater(url, key, reel);
    const streams = await Promise.all(
      Array.from({ length: followers }, async () => {
        const { status, body: stream } = await fetch(`${url}/api/v1/transcriptions/${id}`, {
          headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
        });
        const reader = stream!.pipeThrough(new TextDecoderStream()).getReader();
        let text = "";
        while (!text.includes("event: progress")) text += (await reader.read()).value ?? expect.fail(text);
        return { status, reader };
      }),
    );
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await program.end("SIGTERM")).code).toBe(0);
    for (const { reader } of streams) while (!(await reader.read()).done);
    expect(program.printed()).not.toContain("MaxListenersExceededWarning");
  });
});
