const revision = "2026-07-28";
const prefix = "io.modelcontextprotocol/";
const envelope = { [`${prefix}protocolVersion`]: revision, [`${prefix}clientCapabilities`]: {} };
const withEnvelope = (changes: Record<string, unknown> = {}) => ({ _meta: { ...envelope, ...changes } });

export interface EqualityCase {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Whose key is sent: that of a fresh account (the default), none, or a wrong one. */
  readonly key?: "own" | "none" | "wrong";
  /** Whether the fast path is to answer it, so that cases for the fast path do not all go round it. */
  readonly isFast?: boolean;
}

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const modern = (method: string, name?: string, changes: Record<string, string | undefined> = {}) => {
  const all = { ...json, "mcp-protocol-version": revision, "mcp-method": method, "mcp-name": name, ...changes };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
};
const rpc = (method: string, params?: unknown, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) });
const call = (name: unknown, input?: unknown, others: Record<string, unknown> = {}) =>
  rpc("tools/call", { name, ...(input !== undefined && { arguments: input }), ...others });

const legacyList = (headers: Record<string, string> = {}): EqualityCase => ({
  headers: { ...json, ...headers },
  body: rpc("tools/list"),
});
const legacyCall = (...parts: Parameters<typeof call>): EqualityCase => ({ headers: json, body: call(...parts) });
const modernList = (meta: Record<string, unknown> = {}, headers: Record<string, string | undefined> = {}) => ({
  headers: modern("tools/list", undefined, headers),
  body: rpc("tools/list", withEnvelope(meta)),
});
const modernCall = (
  name: string,
  input?: unknown,
  { header = name, meta = {}, others = {} }: { header?: string; meta?: object; others?: object } = {},
): EqualityCase => ({
  headers: modern("tools/call", header),
  body: call(name, input, { ...withEnvelope({ ...meta }), ...others }),
});
const fast = (one: EqualityCase): EqualityCase => ({ ...one, isFast: true });
const anonymous = (one: EqualityCase): EqualityCase => ({ ...one, key: "none" });

/** Requests of both eras, from plain to hostile. */
export const equalityCases: Readonly<Record<string, EqualityCase>> = {
  "legacy list": fast(legacyList()),
  "legacy list without a key": fast(anonymous(legacyList())),
  "legacy list, params {}": fast({ headers: json, body: rpc("tools/list", {}) }),
  "legacy list, params null": { headers: json, body: rpc("tools/list", null) },
  "legacy list, params an array": { headers: json, body: rpc("tools/list", []) },
  "legacy list, unknown params": { headers: json, body: rpc("tools/list", { sort: "name" }) },
  "legacy list, empty _meta": fast({ headers: json, body: rpc("tools/list", { _meta: {} }) }),
  "legacy list, _meta not an object": { headers: json, body: rpc("tools/list", { _meta: 5 }) },
  "legacy list, cursor": { headers: json, body: rpc("tools/list", { cursor: "zz" }) },
  "legacy list, progress token": fast({ headers: json, body: rpc("tools/list", { _meta: { progressToken: 1 } }) }),
  "legacy list of 2025-11-25": fast(legacyList({ "mcp-protocol-version": "2025-11-25" })),
  "legacy list of 2025-06-18": fast(legacyList({ "mcp-protocol-version": "2025-06-18" })),
  "legacy list of 2024-11-05": fast(legacyList({ "mcp-protocol-version": "2024-11-05" })),
  "legacy list of an unknown revision": legacyList({ "mcp-protocol-version": "1999-01-01" }),
  "legacy list under a modern header": legacyList({ "mcp-protocol-version": revision }),
  "legacy list with a session": fast(legacyList({ "mcp-session-id": "abc" })),
  "legacy list, JSON with a charset": fast(legacyList({ "content-type": "application/json; charset=utf-8" })),
  "legacy list, JSON in capitals": fast(legacyList({ "content-type": "Application/JSON" })),
  "legacy list as text": legacyList({ "content-type": "text/plain" }),
  "legacy list as JSON of another kind": legacyList({ "content-type": "application/json5" }),
  "legacy list, two content types": legacyList({ "content-type": "text/plain, application/json" }),
  "legacy list accepting JSON only": legacyList({ accept: "application/json" }),
  "legacy list accepting anything": legacyList({ accept: "*/*" }),
  "legacy list, byte order mark": fast({
    headers: json,
    body: new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(rpc("tools/list"))]),
  }),
  "legacy list, text that is not UTF-8": {
    headers: json,
    body: new Uint8Array([...new TextEncoder().encode('{"jsonrpc":"2.0","id":"'), 0xff, 0x22, 0x7d]),
  },
  "id with quotes": fast({ headers: json, body: rpc("tools/call", { name: "get_plans" }, 'a"\\b\u2028') }),
  "id empty": fast({ headers: json, body: rpc("tools/list", {}, "") }),
  "id negative": fast({ headers: json, body: rpc("tools/list", {}, -7) }),
  "id null": { headers: json, body: rpc("tools/list", {}, null) },
  "id with a fraction": { headers: json, body: rpc("tools/list", {}, 1.5) },
  "id beyond exact integers": { headers: json, body: rpc("tools/list", {}, 2 ** 60) },
  "id an object": { headers: json, body: rpc("tools/list", {}, {}) },
  "no id": { headers: json, body: JSON.stringify({ jsonrpc: "2.0", method: "tools/list" }) },
  "no method": { headers: json, body: JSON.stringify({ jsonrpc: "2.0", id: 1 }) },
  "another JSON-RPC": { headers: json, body: JSON.stringify({ jsonrpc: "1.0", id: 1, method: "tools/list" }) },
  "a further member": { headers: json, body: JSON.stringify({ ...JSON.parse(rpc("tools/list")), more: 1 }) },
  "a request that is a result too": {
    headers: json,
    body: JSON.stringify({ ...JSON.parse(rpc("tools/list")), result: {} }),
  },
  "the same member twice": fast({
    headers: json,
    body: '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}',
  }),
  batch: { headers: json, body: `[${rpc("tools/list")}]` },
  "batch of two calls": { headers: json, body: `[${call("get_plans")},${rpc("ping", undefined, 2)}]` },
  "empty batch": { headers: json, body: "[]" },
  "batch with a modern element": { headers: json, body: `[${rpc("tools/list", withEnvelope())}]` },
  notification: { headers: json, body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }) },
  response: { headers: json, body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} }) },
  "broken JSON": { headers: json, body: "{" },
  "no body": { headers: json, body: "" },
  "a body of null": { headers: json, body: "null" },
  "a body of 300 KB": { headers: json, body: call("find_guide", { query: "x".repeat(300_000) }) },
  "legacy initialize": {
    headers: json,
    body: rpc("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    }),
  },
  "legacy ping": { headers: json, body: rpc("ping") },
  "legacy unknown method": { headers: json, body: rpc("tools/lists") },

  "legacy call": fast(legacyCall("get_plans")),
  "legacy call without a key": fast(anonymous(legacyCall("get_product_overview", {}))),
  "legacy call with input": fast(legacyCall("find_guide", { query: "bio", limit: 2 })),
  "legacy call of a protected tool": fast(legacyCall("get_my_usage", {})),
  "legacy call of a protected tool without a key": fast(anonymous(legacyCall("get_my_usage", {}))),
  "legacy call, empty library": fast(legacyCall("list_my_scripts", { sort: "views" })),
  "legacy call, unknown input": fast(legacyCall("find_guide", { query: "ab", extra: 1 })),
  "legacy call, wrong input": fast(legacyCall("find_guide", { query: 7, limit: 0 })),
  "legacy call, input missing": fast(legacyCall("search_my_scripts", {})),
  "legacy call, input an array": legacyCall("get_plans", []),
  "legacy call, input null": legacyCall("get_plans", null),
  "legacy call, input text": legacyCall("get_plans", "{}"),
  "legacy call, input of a prototype": {
    headers: json,
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_plans","arguments":{"__proto__":{"x":1},"constructor":1}}}',
    isFast: true,
  },
  "legacy call of an unknown tool": legacyCall("no_such_tool"),
  "legacy call of what every object has": legacyCall("constructor"),
  "legacy call, name a number": legacyCall(5),
  "legacy call, no params": { headers: json, body: rpc("tools/call") },
  "legacy call as a task": legacyCall("get_plans", {}, { task: { ttl: 60_000 } }),
  "legacy call, progress token": legacyCall("get_plans", {}, { _meta: { progressToken: "t" } }),
  "legacy call, wrong progress token": legacyCall("get_plans", {}, { _meta: { progressToken: {} } }),
  "legacy call, related task": legacyCall("get_plans", {}, { _meta: { [`${prefix}related-task`]: { taskId: 5 } } }),
  "legacy call under a name header": fast({ headers: { ...json, "mcp-name": "other" }, body: call("get_plans") }),
  "legacy call under a method header": fast({ headers: { ...json, "mcp-method": "other" }, body: call("get_plans") }),
  "legacy call that may take long": legacyCall("transcribe_reel", { url: "https://example.com/x" }),
  "legacy call with a wrong key": { ...legacyCall("get_plans"), key: "wrong" },

  "modern list": fast(modernList()),
  "modern list without a key": fast(anonymous(modernList())),
  "modern list with a wrong key": { ...modernList(), key: "wrong" },
  "modern list, client named": fast(modernList({ [`${prefix}clientInfo`]: { name: "x", version: "1" } })),
  "modern list, client named wrongly": modernList({ [`${prefix}clientInfo`]: 5 }),
  "modern list, log level": fast(modernList({ [`${prefix}logLevel`]: "debug" })),
  "modern list, wrong log level": modernList({ [`${prefix}logLevel`]: "zz" }),
  "modern list, wrong capabilities": modernList({ [`${prefix}clientCapabilities`]: { elicitation: 3 } }),
  "modern list, no capabilities": {
    headers: modern("tools/list"),
    body: rpc("tools/list", { _meta: { [`${prefix}protocolVersion`]: revision } }),
  },
  "modern list, no envelope": { headers: modern("tools/list"), body: rpc("tools/list") },
  "modern list, cursor": {
    headers: modern("tools/list"),
    body: rpc("tools/list", { ...withEnvelope(), cursor: "zz" }),
  },
  "modern list of an unknown revision": modernList({ [`${prefix}protocolVersion`]: "2030-01-01" }),
  "modern list of an unknown revision, header too": modernList(
    { [`${prefix}protocolVersion`]: "2030-01-01" },
    { "mcp-protocol-version": "2030-01-01" },
  ),
  "modern list claiming a legacy revision": modernList(
    { [`${prefix}protocolVersion`]: "2025-11-25" },
    { "mcp-protocol-version": "2025-11-25" },
  ),
  "modern list, no version header": modernList({}, { "mcp-protocol-version": undefined }),
  "modern list, no method header": modernList({}, { "mcp-method": undefined }),
  "modern list, another method header": modernList({}, { "mcp-method": "tools/call" }),
  "modern list, spaces in the method header": fast(modernList({}, { "mcp-method": " tools/list " })),
  "modern list accepting anything": fast(modernList({}, { accept: "*/*" })),
  "modern list as text": modernList({}, { "content-type": "text/plain" }),
  "modern discover": { headers: modern("server/discover"), body: rpc("server/discover", withEnvelope()) },
  "modern unknown method": { headers: modern("foo/bar"), body: rpc("foo/bar", withEnvelope()) },
  "modern ping": { headers: modern("ping"), body: rpc("ping", withEnvelope()) },
  "modern call": fast(modernCall("get_plans", {})),
  "modern call without input": fast(modernCall("get_plans")),
  "modern call without a key": fast(anonymous(modernCall("find_guide", { query: "hook" }))),
  "modern call of a protected tool": fast(modernCall("get_my_usage", {})),
  "modern call of a protected tool without a key": fast(anonymous(modernCall("get_bio_analytics", { days: 7 }))),
  "modern call, wrong input": fast(modernCall("find_guide", { query: "", limit: 900 })),
  "modern call, two ways to a report": fast(modernCall("get_competitor_report", { id: "a", handle: "b" })),
  "modern call, no such report": fast(modernCall("get_competitor_report", { handle: "nobody" })),
  "modern call, not a reel": fast(modernCall("get_reel_details", { url: "https://example.com/x" })),
  "modern call, another name header": modernCall("get_plans", {}, { header: "find_guide" }),
  "modern call, name header in base64": modernCall("get_plans", {}, { header: "=?base64?Z2V0X3BsYW5z?=" }),
  "modern call, name header in broken base64": modernCall("get_plans", {}, { header: "=?base64?%%?=" }),
  "modern call, no name header": { headers: modern("tools/call"), body: call("get_plans", {}, withEnvelope()) },
  "modern call of an unknown tool": modernCall("no_such_tool", {}),
  "modern call, progress token": modernCall("get_plans", {}, { meta: { progressToken: 5 } }),
  "modern call, answers to questions": modernCall("get_plans", {}, { others: { inputResponses: {} } }),
  "modern call, input an array": modernCall("get_plans", []),
  "modern call that may take long": modernCall("transcribe_reel", { url: "https://example.com/x" }),
};
