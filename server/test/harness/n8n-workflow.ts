/**
 * The part of `n8n-workflow` that the n8n nodes use, without its hundreds of packages. Given a message, it behaves like the
 * real one. With `TEST_N8N` the nodes also run with the real one.
 */
export const NodeConnectionTypes = { Main: "main" } as const;

interface Details {
  readonly message?: string;
  readonly description?: string;
  readonly httpCode?: string;
  readonly itemIndex?: number;
}

class NodeError extends Error {
  readonly description: string | undefined;
  readonly httpCode: string | undefined;
  readonly context: { readonly itemIndex: number | undefined };

  constructor(_node: unknown, cause: string | { readonly message?: string }, details: Details = {}) {
    super(details.message ?? (typeof cause === "string" ? cause : cause.message));
    this.description = details.description;
    this.httpCode = details.httpCode;
    this.context = { itemIndex: details.itemIndex };
    // oxlint-disable-next-line no-constructor-return -- the real ones return what they are given, too
    if (cause instanceof NodeError) return cause;
  }
}

export class NodeApiError extends NodeError {
  override readonly name = "NodeApiError";
}

export class NodeOperationError extends NodeError {
  override readonly name = "NodeOperationError";
}
