import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ReceivedEvent } from "../harness/start-receiver.ts";

describe("the documentation of webhooks", () => {
  const page = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
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

  test("checks signatures in Node", async () => {
    const code = `data:text/javascript,${encodeURIComponent(snippet("js"))}`;
    const { isGenuine } = (await import(code)) as { isGenuine: (...given: unknown[]) => boolean };
    for (const [headers, text, isRight] of cases) expect(isGenuine(headers, text, secret, 1_795_341_700)).toBe(isRight);
  });

  const python = spawnSync("python3", ["-c", ""]).status === 0;
  test.skipIf(!python)("checks signatures in Python (runs where there is one)", () => {
    const code = `${snippet("python")}\nimport json, sys\nfor h, b, s in json.load(sys.stdin): print(is_genuine(h, b.encode(), s, 1795341700))`;
    const given = cases.map(([headers, text]) => [headers, text, secret]);
    const run = spawnSync("python3", ["-c", code], { input: JSON.stringify(given), encoding: "utf8" });
    expect(run.stdout.trim().split("\n"), run.stderr).toEqual(["True", "False", "False", "False", "False"]);
  });
});
