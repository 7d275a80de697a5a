import { expect, test } from "vitest";
import { connectMcp } from "../harness/connect-mcp.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

test("a misspelled parameter of a change is refused, and nothing changes", async () => {
  const { key } = await service.createCaller();
  const change = (query: string) =>
    rest(service.url, `/bio?${query}`, { key, method: "PATCH", body: { displayName: "Ana" } });
  const { status, body } = await change("dryrun=true");
  expect([status, body.error.code]).toEqual([400, "invalidRequest"]);
  expect(body.error.message).toContain("dryrun");
  expect(body.error.message).toContain("dryRun");
  expect((await rest(service.url, "/bio", { key })).body.revision).toBe(0);
  expect(await change("dryRun=true")).toMatchObject({ status: 200, body: { dryRun: true } });
  const transcribe = rest(service.url, "/transcribe?wait=false", { key, body: { url: "https://example.com/" } });
  expect((await transcribe).body.error.message).toContain("wait");
  expect(await rest(service.url, "/scripts?utm_source=x", { key }), "reading is lenient").toMatchObject({
    status: 200,
  });
});

test("null for an optional field is the same as leaving it out", async () => {
  const { key } = await service.createCaller();
  const patch = (body: object) => rest(service.url, "/bio", { key, method: "PATCH", body });
  expect(
    await patch({ displayName: "Ana", links: [{ id: null, title: "Shop", url: "https://example.com/" }] }),
  ).toMatchObject({ status: 200, body: { revision: 1, links: [{ title: "Shop" }] } });
  const cleared = await patch({ displayName: null });
  expect(cleared, "where null means something it keeps its meaning").toMatchObject({
    status: 200,
    body: { displayName: null, links: [{ title: "Shop" }] },
  });
  const hinted = await rest(service.url, "/transcribe", {
    key,
    body: { url: "https://example.com/", languageHint: null },
  });
  expect(hinted.headers.get("x-error-reason"), "the hint is not what is wrong").toBe("notAReel");
  expect((await rest(service.url, "/transcribe", { key, body: { url: null } })).body.error.message).toContain("`url`");

  const mcp = await connectMcp(service.url, "modern", key);
  try {
    const listed = await mcp.callTool({
      name: "list_my_scripts",
      arguments: { account: null, sort: null, limit: null, cursor: null },
    });
    expect(listed.isError).not.toBe(true);
    const changed = await mcp.callTool({
      name: "update_bio_page",
      arguments: { bio: "Coffee", ifRevision: null, dryRun: null, theme: { preset: null } },
    });
    expect(changed.structuredContent).toMatchObject({ bio: "Coffee", theme: { preset: "light" } });
    const report = await mcp.callTool({
      name: "get_competitor_report",
      arguments: { id: null, handle: "nobody.here" },
    });
    expect(JSON.stringify(report.content)).toContain("[notFound]");
  } finally {
    await mcp.close();
  }
});
