import { lookup } from "node:dns/promises";
import sharp from "sharp";
import { expect, test } from "vitest";
import { createImageSource } from "../../src/adapters/pictures/picture-sources.ts";
import { rest } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { startNameServer } from "../harness/start-name-server.ts";
import { serviceOfTest } from "../harness/start-test-service.ts";

test("images whose name server never answers make nobody else wait, and private names look like missing ones", async () => {
  const names = await startNameServer({ "intranet.example": "10.1.2.3", "missing.example": null });
  const source = createImageSource({ origins: ["https://*"], mayBePrivate: false, nameServers: [names.address] });
  const service = await serviceOfTest({ transcriber: null, imageAt: (...asked) => source.fetch(...asked) });
  try {
    const { key } = await service.createCaller();
    const change = async (hosts: readonly string[]) => {
      const links = hosts.map((host) => ({
        title: "x",
        url: "https://example.com/",
        thumbnailUrl: `https://${host}/`,
      }));
      return rest(service.url, "/bio", { key, method: "PATCH", body: { links } });
    };
    const waiting = change(Array.from({ length: 12 }, (_, index) => `silent${index}.example`));
    await expect.poll(() => names.asked.size).toBe(3);
    expect(await lookup("localhost")).toMatchObject({ address: expect.any(String) });
    const { jar } = await signIn(service, { email: "neighbor@example.com" });
    const red = sharp({ create: { width: 40, height: 40, channels: 3, background: "red" } });
    const uploaded = await jar.fetch(`${service.url}/app/bio/images`, {
      method: "POST",
      headers: { origin: service.url, "content-type": "image/png" },
      body: Buffer.from(await red.png().toBuffer()),
    });
    expect(uploaded.status).toBe(201);
    const refused = await waiting;
    expect(refused.status).toBe(400);
    // Whichever of the twelve is given up first is the one that is named.
    const message = refused.body.error.message.replace(/^`links\[\d+\]/, "`links[0]");
    for (const host of ["missing.example", "intranet.example"])
      expect((await change([host])).body, host).toMatchObject({ error: { message } });
  } finally {
    await names.close();
  }
});
