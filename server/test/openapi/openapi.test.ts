import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { operations, restBasePath, webhookEvents } from "@reelscript/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { responseExamples } from "../../src/http/documents/response-examples.ts";
import { openApi } from "../../src/http/documents/openapi.ts";
import { withSharedParts } from "./with-shared-parts.ts";

interface Shown {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
const run = promisify(execFile);

test("openapi.json is what is served; `npm run surface` renews it", async () => {
  const committed: unknown = JSON.parse(await readFile(path.join(root, "openapi.json"), "utf8"));
  expect(JSON.parse(JSON.stringify(openApi("http://127.0.0.1:8787")))).toEqual(committed);
});

test("the document is valid by the rules of an independent linter", async () => {
  const manifest = createRequire(import.meta.url).resolve("@redocly/cli/package.json");
  const program = path.join(
    path.dirname(manifest),
    (JSON.parse(await readFile(manifest, "utf8")) as { bin: { redocly: string } }).bin.redocly,
  );
  const { stderr } = await run(process.execPath, [program, "lint", "openapi.json"], {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  expect(stderr).toContain("valid");
});

test("every operation stands in it under the promised name and path", () => {
  const { paths, servers } = openApi("https://reelscript.example") as {
    paths: Record<string, Record<string, { operationId: string }>>;
    servers: unknown;
  };
  expect(servers).toEqual([{ url: `https://reelscript.example${restBasePath}` }]);
  const found = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
  expect(found).toEqual(Object.keys(operations));
  expect(paths).toMatchObject({
    "/transcribe": { post: { operationId: "transcribeReel" } },
    "/scripts": { get: { operationId: "searchMyScripts" } },
    "/usage": { get: { operationId: "getUsage" } },
    "/reels/resolve": { get: { operationId: "resolveReel" } },
    "/me": { get: { operationId: "getMe" } },
  });
});

test("is short enough for an agent, and shows an answer of every operation that its schema takes", () => {
  const served = openApi("https://reelscript.example");
  expect(Buffer.byteLength(JSON.stringify(served))).toBeLessThanOrEqual(90_000);
  const document = withSharedParts(JSON.parse(JSON.stringify(served))) as {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content: Record<string, { example: unknown }> }> }>
    >;
    security: unknown;
  };
  expect(document.security).toEqual([{ bearer: [] }]);
  for (const [name, { output }] of Object.entries(operations))
    expect(output.safeParse(responseExamples[name as keyof typeof responseExamples]).error, name).toBeUndefined();
  for (const item of Object.values(document.paths))
    for (const { responses } of Object.values(item))
      expect(Object.values(responses["200"]!.content)[0]!.example).toBeDefined();
});

test("every answer with JSON shows one that its own schema takes", () => {
  const document = withSharedParts(
    JSON.parse(JSON.stringify(openApi("https://reelscript.example"))) as {
      paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, Shown> }> }>>;
    },
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "document", ...document });
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, { responses }] of Object.entries(item))
      for (const [status, { content = {} }] of Object.entries(responses)) {
        const shown = content["application/json"];
        if (shown === undefined) continue;
        const place = `/paths/${path.replaceAll("/", "~1")}/${method}/responses/${status}/content/application~1json`;
        const { example, examples = { only: { value: example } } } = shown;
        for (const { value } of Object.values(examples)) {
          expect(value, place).toBeDefined();
          expect(ajv.validate({ $ref: `document#${place}/schema` }, value), `${place} ${ajv.errorsText()}`).toBe(true);
        }
      }
});

test("has each event that endpoints are sent, with its headers and a schema that takes its example", () => {
  const document = JSON.parse(JSON.stringify(openApi("https://reelscript.example"))) as {
    webhooks: Record<string, { post: { parameters: unknown; requestBody: { content: Record<string, Shown> } } }>;
  };
  expect(Object.keys(document.webhooks)).toEqual([...webhookEvents]);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "document", ...document });
  for (const [name, { post }] of Object.entries(document.webhooks)) {
    expect(post.parameters).toEqual(
      ["id", "timestamp", "signature"].map((header) => ({ $ref: `#/components/parameters/webhook-${header}` })),
    );
    const place = `document#/webhooks/${name}/post/requestBody/content/application~1json/schema`;
    const [type, status] = [name, name.split(".")[1]];
    const data = name === "webhook.test" ? {} : { transcriptionId: "trn_1", status, reelUrl: "https://example.com/" };
    const sent = { type, timestamp: "2026-11-20T10:00:00.000Z", data };
    expect(ajv.validate({ $ref: place }, sent), `${name} ${ajv.errorsText()}`).toBe(true);
    expect(ajv.validate({ $ref: place }, { ...sent, type: "other" }), name).toBe(false);
    const { example } = post.requestBody.content["application/json"]!;
    if (example !== undefined) expect(ajv.validate({ $ref: place }, example), name).toBe(true);
  }
});

test("the hint's pattern takes exactly what the service takes", () => {
  const { properties } = operations.transcribeReel.input.toJSONSchema({ io: "input" }) as unknown as {
    properties: { languageHint: { pattern: string } };
  };
  const pattern = new RegExp(properties.languageHint.pattern);
  for (const hint of ["en", "EN", "ta-IN", "zh", "eng", "e", "", "en-", "pt-br-x1", "tam", "id-123456789"])
    expect(pattern.test(hint), hint).toBe(
      operations.transcribeReel.input.safeParse({ url: "https://example.com/", languageHint: hint }).success,
    );
});
