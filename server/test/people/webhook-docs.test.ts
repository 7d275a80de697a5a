import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../harness/start-program.ts";
import type { ReceivedEvent } from "../harness/start-receiver.ts";

describe("the documentation of webhooks", () => {
  const page = readFileSync(new URL("../../guides/receive-webhooks.md", import.meta.url), "utf8");
  const snippet = (language: string): string => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(page)![1]!;
  const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, ok").toString("base64")}`;
  const body = '{"type":"webhook.test","data":{"emoji":"é"}}';
  const signed = (text: string, stamp: string): ReceivedEvent["headers"] => {
    const key = Buffer.from(secret.slice(6), "base64");
    const signature = createHmac("sha256", key).update(`msg_1.${stamp}.${text}`).digest("base64");
    return { "webhook-id": "msg_1", "webhook-timestamp": stamp, "webhook-signature": `v1,AAAA v1,${signature}` };
  };
  const cases: readonly [headers: ReceivedEvent["headers"], body: string, isGenuine: boolean][] = [
    [signed(body, "1795341600"), body, true],
    [signed(body, "1795341600"), `${body} `, false],
    [signed(body, "1795341000"), body, false],
    [{ ...signed(body, "1795341600"), "webhook-id": "msg_2" }, body, false],
    [{}, body, false],
  ];

  test("checks signatures in TypeScript, which the strictest compiler takes", async () => {
    const folder = await mkdtemp(path.join(root, "node_modules", ".webhooks-"));
    try {
      const file = path.join(folder, "sample.ts");
      await writeFile(file, snippet("ts"));
      const strict = "--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess".split(
        " ",
      );
      const options = ["--module", "nodenext", "--types", "node", file];
      const compiler = path.join(root, "node_modules", ".bin", "tsc");
      const compiled = spawnSync(compiler, [...strict, ...options], { cwd: root, encoding: "utf8" });
      expect([compiled.stdout, compiled.status]).toEqual(["", 0]);
      const { isGenuine } = (await import(file)) as { isGenuine: (...given: unknown[]) => boolean };
      for (const [headers, text, isRight] of cases)
        expect(isGenuine(headers, text, secret, 1_795_341_700)).toBe(isRight);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  const python = spawnSync("python3", ["-c", ""]).status === 0;
  test.skipIf(!python)("checks signatures in Python (runs where there is one)", () => {
    const code = `${snippet("python")}\nimport json, sys\nfor h, b, s in json.load(sys.stdin): print(is_genuine(h, b.encode(), s, 1795341700))`;
    const given = cases.map(([headers, text]) => [headers, text, secret]);
    const run = spawnSync("python3", ["-c", code], { input: JSON.stringify(given), encoding: "utf8" });
    expect(run.stdout.trim().split("\n"), run.stderr).toEqual(["True", "False", "False", "False", "False"]);
  });
});
