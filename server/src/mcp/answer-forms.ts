import {
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type LegacyHttpHandler,
  type McpRequestContext,
  type McpServer,
} from "@modelcontextprotocol/server";

/** The forms of an answer that a client accepts. */
export interface AcceptedForms {
  readonly takesJson: boolean;
  readonly takesStream: boolean;
}

/** The header of a client that accepts both forms; the protocol library answers no other. */
export const bothForms = "application/json, text/event-stream";

/** Reads an Accept header. Without one, or with a wildcard alone, a client gets JSON. */
export function acceptedForms(accept = "*/*"): AcceptedForms {
  const takesStream = /text\/(?:event-stream|\*)/i.test(accept);
  const takesJson = /application\/(?:json|\*)/i.test(accept) || /\*\/\*/.test(accept);
  // We have no other form, and most programs can read JSON.
  return { takesJson: takesJson || !takesStream, takesStream };
}

/**
 * Answers with JSON, for clients that don't accept a stream. `answer` does so for the modern protocol as long as nothing is
 * sent before the answer; the older protocol would always get a stream.
 */
export function answerWithoutStream(
  build: (context: McpRequestContext) => McpServer,
  answer: LegacyHttpHandler,
  { maxRequestBodySize }: { readonly maxRequestBodySize: number },
): LegacyHttpHandler {
  return async (request, options) => {
    if (request.method !== "POST" || !(await isLegacyRequest(request, undefined, { maxRequestBodySize })))
      return answer(request, options);
    const server = build({ era: "legacy", authInfo: options?.authInfo, requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, maxRequestBodySize });
    try {
      await server.connect(transport);
      return await transport.handleRequest(request, { authInfo: options?.authInfo });
    } finally {
      await server.close();
    }
  };
}
