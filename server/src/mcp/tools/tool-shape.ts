import type { OperationName, Operations } from "@reelscript/contract";
import type * as z from "zod";

/** An operation's output, as it leaves the service. */
export type OutputOf<Name extends OperationName> = z.output<Operations[Name]["output"]>;

/** An operation, and the input with which a call of a tool asks for it. */
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
  /** The operation that a call asks for; that of the tool, with the same input, when left out. */
  call?(input: Input): OperationCall;
  /** The structured content, built from the operation's output; the output itself when left out. */
  readonly answer?: {
    readonly schema: z.ZodObject;
    from(output: Output, input: Input): Content;
  };
  /** Nulls that say something, in words, by the way to them: `posts.limit`. Others are left out of the text. */
  readonly nulls?: Readonly<Record<string, string>>;
  /** The answer for a model to read; its fields and values when left out. */
  text?(content: Content, input: Input): string;
}
