import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { operations, restBasePath, webhookEvents } from "@reelscript/contract";
import { expect, test } from "vitest";
import { openApi } from "../../src/http/documents/openapi.ts";
import { createErrorsByDocument } from "./errors-by-document.ts";
import { withSharedParts } from "./with-shared-parts.ts";

interface MediaType {
  readonly example?: unknown;
}
interface Document {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        readonly operationId: string;
        readonly requestBody?: { readonly required?: boolean };
        readonly responses: Record<string, { content?: Record<string, MediaType> }>;
      }
    >
  >;
  readonly webhooks: Record<
    string,
    { post: { parameters: unknown; requestBody: { content: Record<string, MediaType> } } }
  >;
  readonly components: Record<string, object>;
  readonly servers: unknown;
  readonly security: unknown;
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

const served = JSON.parse(JSON.stringify(openApi("https://reelscript.example"))) as Document;
const document = withSharedParts(served);
const errorsAt = createErrorsByDocument(document);

test("is short, needs a key, and has the promised names and paths", () => {
  expect(Buffer.byteLength(JSON.stringify(served))).toBeLessThanOrEqual(162_900);
  expect(document.security).toEqual([{ bearer: [] }]);
  expect(document.servers).toEqual([{ url: `https://reelscript.example${restBasePath}` }]);
  expect(document.paths).toMatchObject({
    "/transcribe": { post: { operationId: "transcribeReel" } },
    "/scripts": { get: { operationId: "searchMyScripts" } },
    "/usage": { get: { operationId: "getUsage" } },
    "/reels/resolve": { get: { operationId: "resolveReel" } },
    "/me": { get: { operationId: "getMe" } },
  });
});

test("components have names of words, valid types in every language", () => {
  const names = Object.entries(served.components).flatMap(([kind, parts]) =>
    kind === "securitySchemes" ? [] : Object.keys(parts).map((name) => name),
  );
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !/^(?:[A-Z][a-z]+)+$/.test(name))).toEqual([]);
});

test("a request declares a body only if it has fields for one", () => {
  const declared = Object.values(served.paths).flatMap((item) => Object.values(item));
  const bodies = Object.fromEntries(
    declared.flatMap(({ operationId, requestBody: body }) => (body ? [[operationId, body.required ?? false]] : [])),
  );
  expect(bodies).toEqual({
    transcribeReel: true,
    createBatch: false,
    setScriptTags: true,
    tagScripts: false,
    deleteScripts: false,
    renameScript: true,
    restoreScripts: false,
    updateBioPage: false,
    revertBioPage: true,
    createFile: true,
    createVideo: true,
    createWebhook: true,
    redeliverWebhook: true,
  });
});

test("every response has an example, which its schema accepts if JSON", () => {
  const wrong = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) => {
        const pointer = `/paths/${path.replaceAll("/", "~1")}/${method}/responses/${status}/content/application~1json`;
        const [[type, { example }] = ["", {}]] = Object.entries(content);
        if (type !== "" && example === undefined) return `${pointer} shows nothing`;
        return type === "application/json" ? errorsAt(`${pointer}/schema`, example) : "";
      }),
    ),
  );
  expect(wrong.filter((one) => one !== "")).toEqual([]);
  expect(wrong.length).toBeGreaterThan(150);
});

const ofBatch = { batchId: "bat_1", total: 2, done: 1, failed: 1, canceled: 0 };
const ofReel = { transcriptionId: "trn_1", reelUrl: "https://example.com/" };

test("has each webhook event, with headers, schema and a valid example", () => {
  expect(Object.keys(document.webhooks)).toEqual([...webhookEvents]);
  for (const [name, { post }] of Object.entries(document.webhooks)) {
    expect(post.parameters).toEqual(
      ["Id", "Timestamp", "Signature"].map((header) => ({ $ref: `#/components/parameters/Webhook${header}` })),
    );
    const pointer = `/webhooks/${name}/post/requestBody/content/application~1json/schema`;
    const type = name;
    const status = name.split(".")[1];
    const data = name === "webhook.test" ? {} : name === "batch.finished" ? ofBatch : { ...ofReel, status };
    const sentEvent = { type, timestamp: "2026-11-20T10:00:00.000Z", data };
    const { example = sentEvent } = post.requestBody.content["application/json"]!;
    for (const one of [sentEvent, example]) expect(errorsAt(pointer, one)).toBe("");
    expect(errorsAt(pointer, { ...sentEvent, type: "other" })).not.toBe("");
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
