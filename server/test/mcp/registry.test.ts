import { readFile } from "node:fs/promises";
import * as z from "zod";
import { expect, test } from "vitest";
import { registryEntry } from "../../src/mcp/server-info.ts";
import { connectMcp } from "../harness/connect-mcp.ts";
import { serviceOfTest } from "../harness/start-test-service.ts";

const address = z.url({ protocol: /^https$/ }).max(255);
const text = z.string().min(1).max(100);
const input = {
  description: z.string().optional(),
  value: z.string().optional(),
  placeholder: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
};

/** What the registry's documentation says of a `server.json` of 2025-12-11, as far as an entry of a remote server goes. */
const entry = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: text,
  description: text,
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  websiteUrl: address,
  icons: z.array(
    z.strictObject({
      src: address,
      mimeType: z.enum(["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"]),
      sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)),
    }),
  ),
  remotes: z.array(
    z.strictObject({
      type: z.enum(["streamable-http", "sse"]),
      url: address,
      headers: z.array(
        z.strictObject({
          name: z.string(),
          ...input,
          variables: z.record(z.string(), z.strictObject(input)),
        }),
      ),
    }),
  ),
});

test("server.json is what a service shows, by the rules of the registry, under its domain read backward", async () => {
  const root = new URL("../../../server.json", import.meta.url);
  const committed = entry.parse(JSON.parse(await readFile(root, "utf8")));
  expect(committed, "renew it with `npm run surface`").toEqual(registryEntry("https://reelscript.example"));
  expect(committed.name).toBe("example.reelscript/reelscript");
  for (const { headers } of committed.remotes)
    for (const { value = "", variables } of headers)
      expect(Array.from(value.matchAll(/\{(\w+)\}/g), ([, name]) => name)).toEqual(Object.keys(variables));
  expect(entry.safeParse({ ...committed, description: "x".repeat(101) }).success).toBe(false);
});

test("a service shows its entry to anyone, and its site and icon to every client", async () => {
  const service = await serviceOfTest({ transcriber: null });
  const shown = await fetch(`${service.url}/server.json`);
  expect([shown.status, await shown.json()]).toEqual([200, registryEntry(service.url)]);
  for (const era of ["modern", "legacy"] as const) {
    const client = await connectMcp(service.url, era);
    const { websiteUrl, icons = [] } = client.getServerVersion() ?? {};
    expect([websiteUrl, icons.length]).toEqual([service.url, 1]);
    for (const { src, mimeType } of icons) {
      const icon = await fetch(src);
      expect([icon.status, icon.headers.get("content-type")?.split(";", 1)[0]]).toEqual([200, mimeType]);
    }
    await client.close();
  }
});
