import type { Script } from "@reelscript/contract";
import { expect, test } from "vitest";
import { transcribe } from "../database/conformance/fixtures.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

test("a script says when it was transcribed, and what was cut", async () => {
  const { accountId, key } = await service.createCaller({ plan: "creator" });
  const { call, close } = await connectAgent(service.url, key);
  const said = { text: "Cut short.", caption: "Bread." };
  await transcribe(service.store, accountId, said, service.clock.now(), { truncated: true });
  const { text, data } = await call("list_my_scripts");
  expect(text).toContain(` | ${data.scripts[0].transcribedAt.slice(0, 10)} | `);
  const soundCut = "only the beginning of the audio is transcribed; there is no more text";
  const textCut = "list_my_scripts with ids gives whole texts";
  expect(data.scripts[0]).toMatchObject({ truncated: true, audioCut: true });
  const { text: whole } = await call("list_my_scripts", { ids: [data.scripts[0].id] });
  for (const answer of [text, whole]) {
    expect(answer).toContain(soundCut);
    expect(answer).not.toContain(textCut);
    expect(answer).toMatch(/said: Cut short\.$/m);
  }
  const long = { text: "More words. ".repeat(1_000).trim(), caption: "Bread." };
  await transcribe(service.store, accountId, long, service.clock.now());
  let ids: string[] = [];
  for (const detail of ["short", "full"]) {
    const { text: listText, data: both } = await call("list_my_scripts", { detail });
    expect(listText).toContain(soundCut);
    expect(listText).toContain(textCut);
    ids = both.scripts.flatMap((script: Script) => (script.audioCut === true ? [] : [script.id]));
  }
  const { text: answer } = await call("list_my_scripts", { ids });
  expect(answer).toContain(long.text);
  expect(answer).not.toMatch(/…|beginning of its sound/);
  await close();
});
