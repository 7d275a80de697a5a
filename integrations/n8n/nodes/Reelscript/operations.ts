import {
  NodeApiError,
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type JsonObject,
} from "n8n-workflow";
import { request, type Context } from "../request";

type Operation = (context: IExecuteFunctions, item: number) => Promise<INodeExecutionData[]>;

export const operations: Readonly<Record<string, Operation>> = {
  "reel:transcribe": transcribe,
  "transcription:get": async (context, item) => [
    { json: flat(await getTranscription(context, parameter(context, "transcriptionId", item), item)) },
  ],
  "batch:create": createBatch,
  "batch:get": async (context, item) => {
    const batch = await onBatch(context, "GET", "", item);
    const links = batch["links"] as IDataObject[];
    if (context.getNodeParameter("splitLinks", item) !== true) return [{ json: batch }];
    return links.map((link) => ({ json: { batchId: batch["id"], ...link } }));
  },
  "batch:retry": async (context, item) => [{ json: await onBatch(context, "POST", "/retry", item) }],
  "batch:stop": async (context, item) => [{ json: await onBatch(context, "DELETE", "", item) }],
  "script:get": async (context, item) => {
    const { body } = await request(context, { url: `/scripts/${await scriptId(context, item)}` }, item);
    return [{ json: simplified(context, item)(body as IDataObject) }];
  },
  "script:getAll": async (context, item) => {
    const isAll = context.getNodeParameter("returnAll", item) as boolean;
    const limit = isAll ? Infinity : (context.getNodeParameter("limit", item) as number);
    const query = context.getNodeParameter("query", item) as string;
    const filters = context.getNodeParameter("filters", item) as IDataObject;
    const qs = { sort: context.getNodeParameter("sort", item), ...(query && { query }), ...filters } as IDataObject;
    const scripts: IDataObject[] = [];
    let cursor: string | undefined;
    do {
      const page = await listScripts(context, { ...qs, limit: Math.min(50, limit - scripts.length), cursor }, item);
      scripts.push(...page.scripts);
      cursor = page.nextCursor;
    } while (cursor !== undefined && scripts.length < limit);
    return scripts.map((script) => ({ json: simplified(context, item)(script) }));
  },
  "script:getSubtitles": async (context, item) => {
    const format = context.getNodeParameter("format", item) as string;
    const field = parameter(context, "binaryPropertyName", item);
    const id = await scriptId(context, item);
    const { body, headers } = await request(
      context,
      { url: `/scripts/${id}`, qs: { format }, json: false, encoding: "arraybuffer" },
      item,
    );
    const [, name = `${id}.${format.slice(0, 3)}`] =
      /filename="([^"]+)"/.exec(String(headers["content-disposition"])) ?? [];
    const [type] = String(headers["content-type"]).split(";");
    const file = await context.helpers.prepareBinaryData(body as Buffer, name, type);
    return [{ json: { scriptId: id, format, subtitles: String(body) }, binary: { [field]: file } }];
  },
  "account:getUsage": async (context, item) => [
    { json: (await request(context, { url: "/usage" }, item)).body as IDataObject },
  ],
};

async function transcribe(context: IExecuteFunctions, item: number): Promise<INodeExecutionData[]> {
  const url = parameter(context, "url", item);
  const isWaiting = context.getNodeParameter("wait", item) as boolean;
  const { languageHint, maximumWait = 300 } = context.getNodeParameter("options", item) as IDataObject;
  const { statusCode, body } = await request(
    context,
    {
      method: "POST",
      url: "/transcribe",
      headers: { prefer: "respond-async" },
      body: { url, ...(languageHint && { languageHint }) },
    },
    item,
  );
  if (statusCode !== 202) return [{ json: { status: "done", ...(body as IDataObject) } }];
  const started = body as IDataObject;
  const transcription = isWaiting
    ? await follow(context, String(started["id"]), Number(maximumWait) * 1_000, item)
    : started;
  const error = transcription["error"] as IDataObject | undefined;
  if (error === undefined) return [{ json: flat(transcription) }];
  throw new NodeApiError(context.getNode(), {} as JsonObject, {
    message: String(error["message"]),
    description: `Code: ${String(error["code"])}, transcription: ${String(transcription["id"])}`,
    itemIndex: item,
  });
}

async function createBatch(context: IExecuteFunctions, item: number): Promise<INodeExecutionData[]> {
  const entered = context.getNodeParameter("urls", item) as string | readonly string[];
  const urls = [entered]
    .flat()
    .flatMap((text) => String(text ?? "").split(/[\s,]+/))
    .filter(Boolean);
  if (urls.length === 0)
    throw new NodeOperationError(context.getNode(), 'The parameter "urls" is empty', { itemIndex: item });
  const { languageHint, dryRun = false } = context.getNodeParameter("options", item) as IDataObject;
  const { body } = await request(
    context,
    {
      method: "POST",
      url: "/transcriptions",
      qs: { dryRun },
      body: { urls, ...(languageHint && { languageHint }) },
    },
    item,
  );
  return [{ json: body as IDataObject }];
}

async function onBatch(
  context: IExecuteFunctions,
  method: "GET" | "POST" | "DELETE",
  action: "" | "/retry",
  item: number,
): Promise<IDataObject> {
  const id = encodeURIComponent(parameter(context, "batchId", item));
  return (await request(context, { method, url: `/batches/${id}${action}` }, item)).body as IDataObject;
}

/** The transcription once it has finished, or its state when the time is over. Makes one request, however long it takes. */
async function follow(context: IExecuteFunctions, id: string, milliseconds: number, item: number) {
  const timeout = AbortSignal.timeout(milliseconds);
  const canceled = context.getExecutionCancelSignal();
  try {
    const { body } = await request(
      context,
      {
        url: `/transcriptions/${encodeURIComponent(id)}`,
        headers: { accept: "text/event-stream" },
        json: false,
        encoding: "text",
        timeout: milliseconds,
        abortSignal: canceled ? AbortSignal.any([timeout, canceled]) : timeout,
      },
      item,
    );
    const finished = /^event: finished\ndata: (.*)$/m.exec(String(body))?.[1];
    if (finished !== undefined) return JSON.parse(finished) as IDataObject;
  } catch (error) {
    if (!timeout.aborted) throw new NodeApiError(context.getNode(), error as JsonObject, { itemIndex: item });
  }
  return getTranscription(context, id, item);
}

async function getTranscription(context: IExecuteFunctions, id: string, item: number): Promise<IDataObject> {
  return (await request(context, { url: `/transcriptions/${encodeURIComponent(id)}` }, item)).body as IDataObject;
}

/** Represents a response for a cached reel as a transcription. */
function flat({ id, status, progress, reelUrl, scriptId, error, result }: IDataObject): IDataObject {
  const fields = { status, transcriptionId: id, reelUrl, progress, scriptId, error };
  return { ...JSON.parse(JSON.stringify(fields)), ...(result as IDataObject | undefined) };
}

interface Page {
  readonly scripts: IDataObject[];
  readonly nextCursor?: string;
}

export async function listScripts(context: Context, qs: IDataObject, item?: number): Promise<Page> {
  return (await request(context, { url: "/scripts", qs }, item)).body as unknown as Page;
}

/** The id of the chosen script, for use in a path. */
async function scriptId(context: IExecuteFunctions, item: number): Promise<string> {
  const choice = parameter(context, "script", item, { extractValue: true });
  const { mode } = context.getNodeParameter("script", item) as IDataObject;
  if (mode !== "url") return encodeURIComponent(choice);
  const [script] = (await listScripts(context, { url: choice }, item)).scripts;
  if (script) return String(script["id"]);
  throw new NodeOperationError(context.getNode(), "This reel isn't in your library. Transcribe it first.", {
    itemIndex: item,
  });
}

/** A required text, which an expression may have left empty. */
function parameter(context: IExecuteFunctions, name: string, item: number, options = {}): string {
  const text = String(context.getNodeParameter(name, item, "", options) ?? "").trim();
  if (text !== "") return text;
  throw new NodeOperationError(context.getNode(), `The parameter "${name}" is empty`, { itemIndex: item });
}

const simpleFields = "id reelUrl account caption transcript language views likes postedAt atUrl".split(" ");

function simplified(context: IExecuteFunctions, item: number): (script: IDataObject) => IDataObject {
  const isSimple = context.getNodeParameter("simplify", item) as boolean;
  return (script) =>
    isSimple ? Object.fromEntries(Object.entries(script).filter(([name]) => simpleFields.includes(name))) : script;
}
