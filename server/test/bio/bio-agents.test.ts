import type { BioPage } from "@reelscript/contract";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { createImageSource } from "../../src/adapters/pictures/picture-sources.ts";
import { ask } from "../harness/ask.ts";
import { connectMcp, eras, type Era } from "../harness/connect-mcp.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const address = "https://pictures.example/me.png";
const png = await sharp({ create: { width: 64, height: 80, channels: 3, background: "#c02020" } })
  .png()
  .toBuffer();
const real = createImageSource(undefined, 3_600);
const imageAt = async (url: string, signal: AbortSignal) => (url === address ? png : real.fetch(url, signal));
const service = serviceOfTests({ transcriber: null, imageAt });

const link = (title: string) => ({ title, url: `https://example.com/${title.toLowerCase()}` });

async function anAgent(era: Era) {
  const { key } = await service.createCaller();
  const client = await connectMcp(service.url, era, key);
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: input });
    return {
      isError,
      page: structuredContent as BioPage & Record<string, unknown>,
      text: (content as { text: string }[])[0]!.text,
    };
  };
  return { key, call };
}

test.each(Object.keys(eras) as Era[])(
  "a %s agent reads, tries, changes, and is told of a stale revision",
  async (era) => {
    const { key, call } = await anAgent(era);
    expect((await call("get_my_bio_page")).page).toMatchObject({ revision: 0, handle: null, links: [] });
    const change = { displayName: "Ana", links: [link("One")], ifRevision: 0 };
    const tried = await call("update_bio_page", { ...change, dryRun: true });
    expect(tried.page).toMatchObject({ dryRun: true, revision: 0 });
    const { page } = await call("update_bio_page", change);
    expect(page).toMatchObject({ dryRun: false, revision: 1, displayName: "Ana" });
    const stale = await call("update_bio_page", { bio: "x", ifRevision: 0 });
    expect(stale).toMatchObject({ isError: true, page: undefined });
    expect(stale.text).toMatch(/^\[invalidRequest\] .*at revision 1, not 0/);
    const unknown = await call("update_bio_page", { links: [{ ...link("x"), id: "lnk_x" }] });
    expect(unknown.text).toMatch(/^\[invalidRequest\] `links\[0\]\.id`/);
    expect((await call("update_bio_page", { url: "x" })).text).toContain("`url`: unknown field");
    const read = await call("get_my_bio_page");
    const { revisions, ...present } = read.page;
    expect(present).toEqual((await rest(service.url, "/bio", { key })).body);
    expect(revisions).toEqual([
      { revision: 1, changedAt: page.updatedAt, changed: ["displayName", "links[0]"] },
      { revision: 0, changed: [] },
    ]);
    expect(read.text).toContain(`\nrevision: ${read.page.revision}\n`);
  },
);

test("an agent's changes are limited with those over REST", async () => {
  const { key, call } = await anAgent("modern");
  const change = { key, method: "PATCH", body: {} };
  for (let count = 0; count < 19; count += 1) await rest(service.url, "/bio", change);
  expect((await call("update_bio_page", { bio: "x" })).isError).toBe(false);
  expect((await call("update_bio_page", { bio: "x" })).text).toMatch(/^\[rateLimited\] At most 20 changes/);
});

test("an agent's image address is fetched and stored, except from our network", async () => {
  const { key, call } = await anAgent("modern");
  const images = { avatarUrl: address, links: [{ ...link("One"), thumbnailUrl: address }] };
  const { page } = await call("update_bio_page", images);
  const ours = new RegExp(`^${service.url}/media/images/[\\w-]{22}\\.webp$`);
  expect(page.avatarUrl).toMatch(ours);
  expect(page.links[0]?.thumbnailUrl).toMatch(ours);
  const { status, headers } = await ask(service.url, new URL(page.avatarUrl ?? "").pathname);
  expect([status, headers["content-type"]]).toEqual([200, "image/webp"]);
  for (const avatarUrl of [
    "https://127.0.0.1/me.png",
    "https://localhost/me.png",
    "https://[::1]/me.png",
    "https://10.0.0.1/me.png",
    "https://169.254.169.254/latest/meta-data",
    "https://example.com:8443/x.png",
  ]) {
    const refused = await call("update_bio_page", { avatarUrl });
    expect(refused, avatarUrl).toMatchObject({ isError: true, page: undefined });
    expect(refused.text).toContain("`avatarUrl`: nothing on the public web answers at this address");
  }
  expect((await rest(service.url, "/bio", { key })).body).toMatchObject({ revision: 1, avatarUrl: page.avatarUrl });
});
