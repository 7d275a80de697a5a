import type { OperationName, Operations } from "@reelscript/contract";
import type * as z from "zod";

/** An operation's output as the service sends it. */
export type OutputOf<Name extends OperationName> = z.output<Operations[Name]["output"]>;

/** An operation, and the input that a tool call passes to it. */
export interface OperationCall {
  readonly operation: OperationName;
  readonly input: object;
}

/**
 * How a tool's calls and answers differ from those of its operation. `Input` has passed the tool's schema, `Output` that of
 * the operation; `Content` is the structured content that the caller gets.
 */
export interface ToolShape<
  Output extends object = object,
  Input extends object = object,
  Content extends object = Output,
> {
  /** The operation that a call uses; by default the tool's own, with the same input. */
  call?(input: Input): OperationCall;
  /** The structured content, built from the operation's output; by default the output itself. */
  readonly answer?: {
    readonly schema: z.ZodObject;
    from(output: Output, input: Input): Content;
  };
  /** Texts for meaningful nulls, by their path: `posts.limit`. Other nulls are left out. */
  readonly nulls?: Readonly<Record<string, string>>;
  /** The answer as text for a model; by default its fields and values. */
  text?(content: Content, input: Input): string;
}
