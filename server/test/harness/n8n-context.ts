import { runInNewContext } from "node:vm";

/** The parts of a node that n8n uses. */
export interface N8nNode {
  readonly description: { readonly properties: readonly Property[] };
  execute(this: object): Promise<[Output[]]>;
  webhook(this: object): Promise<{ workflowData?: [Output[]]; noWebhookResponse?: true }>;
  readonly methods: {
    listSearch: Record<string, (this: object, query?: string, cursor?: string) => Promise<ListSearch>>;
  };
  readonly webhookMethods: { default: Record<"checkExists" | "create" | "delete", (this: object) => Promise<boolean>> };
}

interface Property {
  readonly name: string;
  readonly default: unknown;
  readonly options?: readonly (Property & { readonly value?: string })[];
  readonly displayOptions?: { readonly show: Readonly<Record<string, readonly unknown[]>> };
}

interface Output {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at items of every shape
  readonly json: any;
  readonly binary?: Record<string, { data: string; fileName: string; mimeType: string }>;
  readonly pairedItem: { readonly item: number };
}

interface ListSearch {
  readonly results: readonly { readonly name: string; readonly value: string; readonly url: string }[];
  readonly paginationToken?: string;
}

export interface N8nCredential {
  readonly authenticate: { readonly properties: { readonly headers: Readonly<Record<string, string>> } };
  readonly test: {
    readonly request: { readonly baseURL: string; readonly url: string };
    readonly rules: readonly { readonly properties: { readonly key: string; readonly message: string } }[];
  };
}

interface Running {
  readonly node: N8nNode;
  readonly credential: N8nCredential;
  /** The credential's values. */
  readonly entered: Readonly<Record<"baseUrl" | "apiKey", string>>;
  /** Values set in the editor for each input item; the others have their defaults. */
  readonly items?: readonly Readonly<Record<string, unknown>>[];
  readonly continueOnFail?: boolean;
  /** More of n8n's functions, which the node is expected to use. */
  readonly offers?: Readonly<Record<string, unknown>>;
}

interface HttpOptions {
  readonly method?: string;
  readonly baseURL: string;
  readonly url: string;
  readonly qs?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly json: boolean;
  readonly encoding?: "text" | "arraybuffer";
  readonly abortSignal?: AbortSignal;
}

/** Takes n8n's place for a node: parameters as the editor shows them, and requests over HTTP. Any other use fails. */
export function createN8nContext({ node, credential, entered, items = [{}], continueOnFail, offers }: Running): object {
  const isShown = ({ displayOptions }: Property, item: number): boolean =>
    Object.entries(displayOptions?.show ?? {}).every(([name, values]) => values.includes(valueOf(name, item)));

  function valueOf(name: string, item: number): unknown {
    const property = node.description.properties.find((one) => one.name === name && isShown(one, item));
    if (property === undefined) throw new Error(`the editor shows no parameter "${name}"`);
    return items[item]![name] ?? property.default;
  }

  const offered: Readonly<Record<string, unknown>> = {
    getInputData: () => items.map(() => ({ json: {} })),
    getNode: () => ({ name: "Reelscript", type: "n8n-nodes-reelscript.reelscript" }),
    getNodeParameter(name: string, item = 0, _fallback?: unknown, { extractValue = false } = {}) {
      const value = valueOf(name, item);
      return extractValue ? (value as { value: unknown }).value : value;
    },
    getCredentials: async () => entered,
    getExecutionCancelSignal: () => undefined,
    continueOnFail: () => continueOnFail === true,
    helpers: {
      httpRequestWithAuthentication: (_name: string, options: HttpOptions) => send(options, credential, entered),
      prepareBinaryData: async (bytes: Buffer, fileName: string, mimeType: string) => ({
        data: bytes.toString("base64"),
        fileName,
        mimeType,
      }),
      returnJsonArray: (json: object) => [{ json }],
    },
    ...offers,
  };
  return new Proxy(offered, {
    get(_target, name) {
      if (typeof name === "symbol" || name in offered) return offered[name as string];
      throw new Error(`nobody expected the node to use "${name}"`);
    },
  });
}

async function send(options: HttpOptions, credential: N8nCredential, entered: Running["entered"]) {
  const url = new URL(options.baseURL + options.url);
  for (const [name, value] of Object.entries(options.qs ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const { headers } = credential.authenticate.properties;
  const response = await fetch(url, {
    method: options.method ?? "GET",
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, expressed(value, entered)])),
      ...(options.body !== undefined && { "content-type": "application/json" }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    ...(options.abortSignal && { signal: options.abortSignal }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: options.encoding === "arraybuffer" ? bytes : options.json && isJson(text) ? JSON.parse(text) : text,
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Evaluates an n8n expression about a credential's fields. */
const expressed = (text: string, $credentials: Running["entered"]): string =>
  text.replace(/^=/, "").replaceAll(/\{\{(.*?)\}\}/g, (_all, code) => String(runInNewContext(code, { $credentials })));

/** The message of a credential's "Test"; undefined if it succeeds. */
export async function testCredential(
  credential: N8nCredential,
  entered: Running["entered"],
): Promise<string | undefined> {
  const { request, rules } = credential.test;
  const baseURL = expressed(request.baseURL, entered);
  const { statusCode, body } = await send({ ...request, baseURL, json: true }, credential, entered);
  if (statusCode >= 400) return `status ${statusCode}`;
  return rules.find(({ properties }) => body[properties.key] === undefined)?.properties.message;
}

/** Loads a class of the n8n package from its source. */
export async function readFromN8n<Read>(file: string): Promise<Read> {
  const modulePath = new URL(`../../../integrations/n8n/${file}.ts`, import.meta.url).href;
  const [Class] = Object.values((await import(/* @vite-ignore */ modulePath)) as Record<string, new () => Read>);
  return new Class!();
}
