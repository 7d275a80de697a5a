import type { AllOperations, AnyOperationName, ExtensionOperationName } from "@reelscript/contract";
import type * as z from "zod";
import type { PackedJson, RateState, WrittenBody } from "../ports.ts";
import type { AccountCaller, Caller, PersonCaller, SessionCaller } from "../rules/caller.ts";
import type { PackedFields, Unwritten } from "./schemas.ts";
import type { Door, Patience } from "./patience.ts";
import type { Place, WhileWaiting } from "./admission.ts";

/** The circumstances of a call as its door knows them, in addition to the input and the caller. */
export interface CallContext {
  readonly door: Door;
  /** Ends the waiting, but not work that others may use. */
  readonly signal: AbortSignal;
  readonly patience: Patience;
  /** Calls the listener when the answer is sent or nobody is there to read it. */
  readonly onSent?: ((listener: () => void) => void) | undefined;
  /** Receives the tightest bucket that the call was counted against, before the call's work. */
  readonly onCounted?: ((rate: RateState | undefined) => void) | undefined;
  /** The header of that name, cut to a bounded length. */
  readonly userAgent?: string | undefined;
  /** Present for operations whose body is media. */
  readonly media?: IncomingMedia | undefined;
  /** The requested form of the response, where the operation has others than JSON. */
  readonly form?: string | undefined;
  /** The caller's key, for operations that honor one. */
  readonly idempotencyKey?: string | undefined;
  /** The caller's place, if the door already took one; the call releases it. */
  readonly place?: Place | undefined;
}

/** A body that can be read on demand, but only once. */
export interface IncomingMedia {
  /** The announced length, in bytes. */
  readonly length: number | undefined;
  /** Throws `ServiceError` when the media have a wrong type, arrive too slowly or break off. */
  bytes(): AsyncIterable<Uint8Array>;
}

type CallerOf<Name extends AnyOperationName> = AllOperations[Name]["access"] extends "public"
  ? Caller
  : AllOperations[Name]["access"] extends "session" | "operator"
    ? Name extends ExtensionOperationName
      ? PersonCaller
      : SessionCaller
    : AccountCaller;

/** A call that may be interrupted, and gives up its place while it waits. */
export interface OpenCall {
  /** Ends the waiting, but not work that others may use. */
  readonly signal: AbortSignal;
  /** Wraps waits for others: a queue, the platform, another site, a sender. */
  readonly whileWaiting: WhileWaiting;
}

/** Passed to every handler in addition to the input and the caller. */
export interface HandlerContext extends OpenCall {
  /** When the call began, as a moment of `performance.now()`. */
  readonly begun: number;
  readonly patience: Patience;
  /** When the call must end, as a moment of `performance.now()`. */
  readonly deadline: number;
  /** Stays the same only if a call with an idempotency key is repeated because its answer was lost. */
  readonly callId: string | undefined;
  readonly userAgent: string | undefined;
  readonly media: IncomingMedia | undefined;
  readonly form: string | undefined;
}

type InputOf<Name extends AnyOperationName> = Name extends keyof PackedFields
  ? Omit<z.output<AllOperations[Name]["input"]>, PackedFields[Name]> & Readonly<Record<PackedFields[Name], PackedJson>>
  : z.output<AllOperations[Name]["input"]>;

export type HandlerCall<Name extends AnyOperationName> = HandlerContext & {
  readonly input: InputOf<Name>;
  readonly caller: CallerOf<Name>;
};

/** The answer of an operation, or one of three answers that the operation's schema doesn't write. */
export type HandlerAnswer<Name extends AnyOperationName> =
  | Unwritten<z.input<AllOperations[Name]["output"]>>
  | Accepted
  | Written
  | Streamed;

export type Handler<Name extends AnyOperationName> = (call: HandlerCall<Name>) => Promise<HandlerAnswer<Name>>;

/** Every operation's handler. A missing one, or one of a wrong type, does not compile. */
export type Handlers = { readonly [Name in AnyOperationName]: Handler<Name> };

/** An operation may recognize calls that repeat an earlier one, and renew what they were answered. */
export interface Repeats {
  /**
   * True if an earlier call was counted for the same work, so that this one isn't. `receive` returns the input, not checked
   * yet; it may throw. Called only for patience whose repeats don't count.
   */
  isRepeat(receive: () => unknown, caller: Caller): Promise<boolean>;
  /** The current answer to a call whose key has a stored 202; `undefined` if the stored one still applies. */
  renew(accepted: Record<string, unknown>, caller: AccountCaller, patience: Patience): Promise<object | undefined>;
}

/** Only operations whose work continues without their caller have any. */
export type RepeatsOf = { readonly [Name in AnyOperationName]?: Repeats };

export interface Answered {
  readonly output: Record<string, unknown>;
  /** The work continues, and the output is that of the operation that follows it. */
  readonly accepted: boolean;
  /** The answer was stored earlier under the caller's key. */
  readonly replayed: boolean;
}

/** A handler's answer to a caller who doesn't wait: the progress, as the `respondAsync` operation reports it. */
export class Accepted {
  readonly output: object;

  constructor(output: object) {
    this.output = output;
  }
}

/** An answer that is already written in the requested form. */
export class Written {
  readonly body: WrittenBody;

  constructor(body: WrittenBody) {
    this.body = body;
  }
}

/** A response that is sent while it is produced, because it may be of any length. */
export class Streamed {
  /** The parts of the body, in order. Reading them throws when the rest can't be produced. */
  readonly parts: AsyncIterable<Uint8Array>;
  /** The name without its extension. */
  readonly fileName: string;
  /** Called once when reading has ended, even if it never began. */
  readonly end: () => void;

  constructor(parts: AsyncIterable<Uint8Array>, fileName: string, end: () => void) {
    this.parts = parts;
    this.fileName = fileName;
    this.end = end;
  }
}
