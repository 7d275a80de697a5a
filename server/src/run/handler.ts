import type { AllOperations, AnyOperationName, ExtensionOperationName } from "@reelscript/contract";
import type * as z from "zod";
import type { RateState, WrittenBody } from "../ports.ts";
import type { AccountCaller, Caller, PersonCaller, SessionCaller } from "../caller.ts";
import type { Place, WhileWaiting } from "./places.ts";
import type { Unwritten } from "./write-output.ts";

/** The circumstances of a call as its door knows them, in addition to the input and the caller. */
export interface CallContext<Wait> {
  readonly door: Door;
  /** Ends the waiting, but not work that others may use. */
  readonly signal: AbortSignal;
  /** How the caller waits; read only by operations with an entry. */
  readonly wait: Wait;
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
  : AllOperations[Name]["access"] extends "session"
    ? Name extends ExtensionOperationName
      ? PersonCaller
      : SessionCaller
    : AccountCaller;

/** How a call may wait. */
export interface CallPatience {
  /** Ends the waiting, but not work that others may use. */
  readonly signal: AbortSignal;
  /** Wraps waits for others: a queue, the platform, another site, a sender. */
  readonly whileWaiting: WhileWaiting;
}

/** Passed to every handler in addition to the input and the caller. */
export interface HandlerContext extends CallPatience {
  /** When the call must end, as a moment of `performance.now()`. */
  readonly deadline: number;
  /** Stays the same only if a call with an idempotency key is repeated because its answer was lost. */
  readonly callId: string | undefined;
  readonly userAgent: string | undefined;
  readonly media: IncomingMedia | undefined;
  readonly form: string | undefined;
}

export type HandlerCall<Name extends AnyOperationName> = HandlerContext & {
  readonly input: z.output<AllOperations[Name]["input"]>;
  readonly caller: CallerOf<Name>;
};

/** The answer of an operation, or one of three answers that the operation's schema doesn't write. */
export type HandlerAnswer<Name extends AnyOperationName> =
  | Unwritten<z.input<AllOperations[Name]["output"]>>
  | Accepted
  | Written
  | Streamed;

export type Handler<Name extends AnyOperationName> = (call: HandlerCall<Name>) => Promise<HandlerAnswer<Name>>;

/** An operation that counts, waits or repeats in its own way has an entry in place of a handler. */
export interface Entry<Name extends AnyOperationName, Wait> {
  /** Called before the call is admitted. */
  enter(coming: ComingCall<Wait>): EnteredCall<Name>;
}

/** A call that isn't admitted yet. */
export interface ComingCall<Wait> {
  readonly door: Door;
  readonly caller: Caller;
  /** The input, not checked yet; may throw. */
  readonly receive: () => unknown;
  readonly wait: Wait;
}

export interface EnteredCall<Name extends AnyOperationName> {
  /** How long the call may take, instead of its door's `doorSeconds`. */
  readonly waitSeconds?: number | undefined;
  /** True if the call isn't counted, because an earlier one was counted for the same work. */
  readonly isRepeat?: (() => Promise<boolean>) | undefined;
  /** `rate` is the tightest bucket that the call was counted against. */
  readonly handle: (call: HandlerCall<Name>, rate: RateState | undefined) => Promise<HandlerAnswer<Name>>;
  /** The current answer to a call whose key has a stored 202; `undefined` if the stored one still applies. */
  readonly renew?: (
    accepted: Record<string, unknown>,
    caller: AccountCaller,
  ) => Promise<HandlerAnswer<Name> | undefined>;
}

export type Handlers = { readonly [Name in AnyOperationName]: Handler<Name> };

/** Every operation's handler, or its entry. A missing one, or one of a wrong type, does not compile. */
export type Entries<Wait> = { readonly [Name in AnyOperationName]: Handler<Name> | Entry<Name, Wait> };

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

/** Entrance of a call: REST and MCP for programs, `people` for signed-in people. */
export type Door = "rest" | "mcp" | "people";

/** Seconds that a call may take. Clients and proxies of each door commonly wait this long. */
export const doorSeconds: Readonly<Record<Door, number>> = { rest: 150, people: 150, mcp: 50 };
