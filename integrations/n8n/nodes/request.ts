import {
  NodeApiError,
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type JsonObject,
} from "n8n-workflow";

export type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

interface Answer {
  readonly statusCode: number;
  readonly headers: IDataObject;
  readonly body: IDataObject | string | Buffer;
}

/** Sends a request with the credential. If the service refuses it, throws the service's message. */
export async function request(context: Context, options: IHttpRequestOptions, itemIndex?: number): Promise<Answer> {
  const { baseUrl } = await context.getCredentials("reelscriptApi", itemIndex);
  const baseURL = `${String(baseUrl).replace(/\/+$/, "")}/api/v1`;
  const answer = (await context.helpers.httpRequestWithAuthentication.call(context, "reelscriptApi", {
    baseURL,
    json: true,
    ...options,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  })) as Answer;
  const isOurs = options.json === false || (typeof answer.body === "object" && answer.body !== null);
  if (answer.statusCode < 400 && isOurs) return answer;
  const error = errorIn(answer.body);
  const requestId = answer.headers["x-request-id"];
  throw new NodeApiError(context.getNode(), {} as JsonObject, {
    message:
      error?.message ??
      `${baseURL} answers ${answer.statusCode}, but not as Reelscript does. Check the base URL in the credential.`,
    description: error && `Code: ${error.code}${requestId ? `, request: ${String(requestId)}` : ""}`,
    httpCode: String(answer.statusCode),
    itemIndex,
  });
}

/** The error in a body, whatever its encoding. */
function errorIn(body: unknown): { readonly message: string; readonly code: string } | undefined {
  try {
    const parsed = Buffer.isBuffer(body) || typeof body === "string" ? JSON.parse(body.toString()) : body;
    return typeof parsed?.error?.message === "string" ? parsed.error : undefined;
  } catch {
    return undefined;
  }
}
