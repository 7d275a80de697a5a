import type { AllOperations, AnyOperationName, ExtensionOperationName, Transcription } from "@reelscript/contract";
import type * as z from "zod";
import type { RateState, WrittenBody } from "../ports.ts";
import type { AccountCaller, Caller, PersonCaller, SessionCaller } from "../caller.ts";
import type { Place, WhileWaiting } from "./places.ts";

/** How long and how visibly a call may wait. */
export interface CallContext {
  readonly door: Door;
  /** Ends the waiting, not work that others may use. */
  readonly signal: AbortSignal;
  /** How long the door can wait for slow work, from the beginning of the call. */
  readonly waitSeconds: number;
  /**
   * The wait, in seconds, for a call that repeats one of the caller's whose work still runs. Without it such a call counts
   * and doesn't wait.
   */
  readonly repeatWaitSeconds?: number | undefined;
  /** Shown to the caller while waiting. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The caller prefers to follow the work rather than wait for it. */
  readonly respondAsync?: boolean | undefined;
  /**
   * Asks for every state until the last, which is the answer; with the state of the tightest bucket. Answers whether the
   * caller got it; a later state makes up for one that is lost, except for what was in it alone.
   */
  readonly onChange?: ((output: Record<string, unknown>, rate: RateState | undefined) => boolean) | undefined;
  /** The header, cut. */
  readonly userAgent?: string | undefined;
  /** Present for operations whose body is media. */
  readonly media?: IncomingMedia | undefined;
  /** The requested form of the response, where the operation has others than JSON. */
  readonly form?: string | undefined;
  /** The caller's key, for operations that honor one. */
  readonly idempotencyKey?: string | undefined;
  /** The caller's place, if the door already took one; the call leaves it. */
  readonly place?: Place | undefined;
}

/** A body that is read only when somebody asks for it, and once. */
export interface IncomingMedia {
  /** The announced length, in bytes. */
  readonly length: number | undefined;
  /** Throws `ServiceError` when they are of a wrong type, too slow, or break off. */
  bytes(): AsyncIterable<Uint8Array>;
}

interface Progress {
  /** 0 to 1. */
  readonly done: number;
  readonly message: string;
}

type CallerOf<Name extends AnyOperationName> = AllOperations[Name]["access"] extends "public"
  ? Caller
  : AllOperations[Name]["access"] extends "session"
    ? Name extends ExtensionOperationName
      ? PersonCaller
      : SessionCaller
    : AccountCaller;

/** The door's context, with the end of the wait as a moment of `performance.now()`. */
export interface HandlerContext extends Omit<
  CallContext,
  "door" | "waitSeconds" | "repeatWaitSeconds" | "idempotencyKey" | "onChange" | "place"
> {
  readonly deadline: number;
  /** Wraps waits for others: a queue, the platform, another site, a sender. */
  readonly whileWaiting: WhileWaiting;
  readonly repeatDeadline?: number | undefined;
  /** Stays the same only when a call with an idempotency key is repeated because its answer was lost. */
  readonly callId?: string | undefined;
}

/** A handler's version of a contract type: dates as `Date`, and read-only lists. */
type Undated<Value> = Value extends readonly (infer Item)[]
  ? readonly Undated<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Undated<Value[Field]> }
    : string extends Value
      ? Value | Date
      : Value;

export type Handler<Name extends AnyOperationName> = (
  call: {
    readonly input: z.output<AllOperations[Name]["input"]>;
    readonly caller: CallerOf<Name>;
    readonly onChange?: ((output: z.input<AllOperations[Name]["output"]>) => boolean) | undefined;
  } & HandlerContext,
) => Promise<Undated<z.input<AllOperations[Name]["output"]>> | Accepted | Written | Streamed>;

/** A missing or wrongly typed handler does not compile. */
export type Handlers = { readonly [Name in AnyOperationName]: Handler<Name> };

export interface Answered {
  readonly output: Record<string, unknown>;
  /** The work continues, and the output is that of the operation that follows it. */
  readonly accepted: boolean;
  /** The answer was stored earlier under the caller's key. */
  readonly replayed: boolean;
}

/** A handler's answer to a caller who doesn't wait: the progress, as the `respondAsync` operation reports it. */
export class Accepted {
  readonly output: Transcription;

  constructor(output: Transcription) {
    this.output = output;
  }
}

/** An answer that is written already, in the form that the caller asks for. */
export class Written {
  readonly body: WrittenBody;

  constructor(body: WrittenBody) {
    this.body = body;
  }
}

/** A response that is sent while it is produced, because it may be of any length. */
export class Streamed {
  /** Joined, the whole body. It breaks off with an error. */
  readonly parts: AsyncIterable<Uint8Array>;
  /** The name without its extension. */
  readonly fileName: string;
  /** Called once nothing more is read, even when nothing ever was. */
  readonly end: () => void;

  constructor(parts: AsyncIterable<Uint8Array>, fileName: string, end: () => void) {
    this.parts = parts;
    this.fileName = fileName;
    this.end = end;
  }
}

/** Entrance of a call: REST and MCP are for programs, `people` for signed-in people. */
export type Door = "rest" | "mcp" | "people";
