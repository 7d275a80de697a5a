import { operations } from "@reelscript/contract";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openApi } from "../../src/http/documents/openapi.ts";
import type { Transcriber } from "../../src/ports.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { arbitraryOf, junk, type Schema } from "./arbitrary-of.ts";
import { createErrorsByDocument } from "./errors-by-document.ts";
import { withSharedParts } from "./with-shared-parts.ts";

/** More runs find more; the default keeps the suite short. */
const runs = Number(process.env.FUZZ_RUNS ?? 20);

interface Parameter {
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly required: boolean;
  readonly schema: Schema;
}
interface Described {
  readonly operationId: string;
  readonly parameters?: Parameter[];
  readonly requestBody?: { content: { "application/json": { schema: Schema } } };
  readonly responses: Record<string, { readonly content?: object }>;
}
interface Case {
  readonly inPath: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

const document = withSharedParts(
  JSON.parse(JSON.stringify(openApi("http://127.0.0.1"))) as {
    paths: Record<string, Record<string, Described>>;
    components: Schema;
  },
);

const errorsAt = createErrorsByDocument(document);

/** The statuses for which an operation's default answer stands. */
const anywhere: ReadonlySet<number> = new Set([413, 415, 431, 500, 503]);

const neverReached: Transcriber = {
  revision: 1,
  model: "none",
  measure: () => Promise.reject(new Error("no invented file is media")),
  transcribe: () => Promise.reject(new Error("no invented URL leads to a reel")),
};

let key: string;
// The limits are raised, so that the answers behind them are seen.
const service = serviceOfTests({
  transcriber: neverReached,
  queueLimit: 3,
  rateLimits: { default: 1_000_000, transcribe: 1_000_000, bioWrite: 1_000_000, address: 1_000_000 },
});
beforeAll(async () => void ({ key } = await service.createCaller({ plan: "creator" })));

const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation, id: operation.operationId })),
);

test("every operation is under test", () => expect(described.map(({ id }) => id)).toEqual(Object.keys(operations)));

describe.each(described)("$id", ({ path, method, operation }) => {
  test("always responds as the document says, and never with a fault", async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(caseOf(operation), async (one) => {
        const { status, body, request, type } = await send(service.url, path, method, one, key);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect(status, `${JSON.stringify(one)} ${request}`).toBeLessThan(
          500 + Number(status === 502 || status === 503) * 100,
        );
        const responseKey = String(status) in operation.responses ? String(status) : "default";
        expect(responseKey !== "default" || anywhere.has(status), `status ${status}: ${JSON.stringify(body)}`).toBe(
          true,
        );
        if (status === 304) {
          expect(body, request).toBeUndefined();
          return;
        }
        if (type !== "application/json") {
          expect(Object.keys(operation.responses[responseKey]?.content ?? {}), request).toContain(type);
          return;
        }
        const answer = `/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}/responses/${responseKey}`;
        expect(errorsAt(`${answer}/content/application~1json/schema`, body), JSON.stringify(body)).toBe("");
      }),
      { numRuns: runs },
    );
    const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    expect(statuses.get(429) ?? 0).toBeLessThanOrEqual(total / 10);
  });
});

function caseOf({ parameters = [], requestBody }: Described): fc.Arbitrary<Case> {
  const value = (schema: Schema): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 3, arbitrary: arbitraryOf(schema) }, { weight: 1, arbitrary: junk });
  const valuesOf = (location: Parameter["in"]) =>
    Object.fromEntries(
      parameters.filter((one) => one.in === location).map(({ name, schema }) => [name, value(schema)]),
    );
  const inPath = fc.record(valuesOf("path"));
  const query = fc.record(valuesOf("query"), { requiredKeys: [] });
  const schema = requestBody?.content["application/json"].schema;
  const body = schema
    ? fc.oneof(
        { weight: 4, arbitrary: arbitraryOf(schema) },
        { weight: 1, arbitrary: withJunk(schema) },
        { weight: 1, arbitrary: junk },
      )
    : fc.constant(undefined);
  const headers = fc.constantFrom<Record<string, string>[]>(
    {},
    {},
    {},
    { "content-type": "text/plain" },
    { authorization: "Bearer nonsense" },
    { accept: "text/html" },
    { "if-none-match": "*" },
  );
  const conditions = fc.record(valuesOf("header"), { requiredKeys: [] }).map(sendable);
  return fc.record({
    inPath,
    query,
    body,
    headers: fc.tuple(headers, conditions).map(([some, more]) => ({ ...some, ...more })),
  });
}

/** Headers that a program can send at all. */
const sendable = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, textOf(value).replace(/[^\x20-\x7e]/g, "?")]),
  );

const withJunk = (schema: Schema): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      arbitraryOf(schema),
      fc.constantFrom(...Object.keys(schema.properties ?? {}), "unknown", "__proto__", "constructor"),
      junk,
    )
    .map(([value, name, bad]) => Object.assign({}, value, { [name]: bad }));

async function send(url: string, path: string, method: string, one: Case, apiKey: string) {
  const { inPath, query, body, headers } = one;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(inPath[name]));
  const target = new URL(`/api/v1${filled}`, url);
  for (const [name, value] of Object.entries(query)) target.searchParams.append(name, textOf(value));
  const response = await fetch(target, {
    method: method.toUpperCase(),
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(120_000),
  });
  const text = await response.text();
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  const answered = text === "" ? undefined : type === "application/json" ? JSON.parse(text) : text;
  return { status: response.status, body: answered, type, request: target.href };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The URL class folds "", "." and ".." away, which would call another path. */
function segmentOf(value: unknown): string {
  const text = textOf(value);
  return /^\.{0,2}$/.test(text) ? "-" : encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}
