import * as z from "zod";
import type { RequestShape } from "./values/request-shape.ts";
import type { ErrorCode, ErrorReason } from "./values/service-error.ts";

/** The sections of the documentation. */
export const sections = {
  Transcripts: "Turning the speech of reels into text.",
  Library: "Your scripts: list, search and sort them.",
  Reels: "Public details of a reel from its platform.",
  Reports: "Competitor reports, created in the browser extension or the dashboard.",
  "Bio page": "Your link-in-bio page, its revisions and visits.",
  Webhooks: "Signed requests to your server when a transcription is done or failed.",
  Guides: "Advice on growing with reels and on using the service.",
  Product: "Description and prices of the service.",
  Account: "The account and key of the request, and what was used.",
} as const;

export type Section = keyof typeof sections;

/**
 * An operation's form for agents; one operation may be several tools with different inputs. The MCP door shapes calls and
 * answers.
 */
export interface Tool<Name extends string = string> {
  /** snake_case, verb first. */
  readonly name: Name;
  readonly title: string;
  /** One sentence, then when to use it, then limits and cost. */
  readonly description: string;
  /** The part of the operation's input that the tool takes; by default the whole. */
  readonly input?: z.ZodObject;
  /** True if a call that changes something may undo or overwrite what was there. */
  readonly destructive?: boolean;
  /** True if a call reaches the video platform. */
  readonly openWorld: boolean;
}

/** A form of an output other than JSON. */
export interface Format<Output> {
  /** Media type, without parameters; the text is UTF-8. */
  readonly type: `${string}/${string}`;
  /** The extension of the file's name; by default the form's own name. */
  readonly ending?: string;
  /** Input fields that the form needs; they are given with it. */
  readonly input?: Readonly<Record<string, unknown>>;
  write(output: Output): string;
}

/**
 * One thing that the service can do. REST routes, OpenAPI, MCP tools, the typed client and the command line are derived from
 * it.
 */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  ToolNames extends string = string,
> {
  readonly summary: string;
  readonly description: string;
  readonly section: Section;
  /**
   * Permitted callers: anybody, holders of an API key and signed-in people, signed-in people alone, or of these the operator of
   * the service.
   */
  readonly access: "public" | "key" | "session" | "operator";
  /** The request over HTTP: GET only if it changes and charges nothing. `fieldLocation` says where each input field goes. */
  readonly http: RequestShape & {
    /** Seconds for which anybody may cache the answer: it is the same for every caller, and has an `ETag`. */
    readonly cacheSeconds?: number;
    /** Plain response for a caller that accepts this type rather than JSON: the output field of that name. */
    readonly text?: { readonly type: `text/${string}`; readonly field: string };
    /** Forms of the response other than JSON, chosen in the query. The operation does the same work. */
    readonly formats?: {
      /** The parameter of the query. */
      readonly parameter: string;
      readonly description: string;
      /** The document names them only in the parameter, so that the answer of generated clients has one type. */
      readonly isUntyped?: true;
      /** By the value of the parameter. */
      readonly forms: Readonly<Record<string, Format<z.output<Output>>>>;
      /** The file's name without extension: letters, digits, dots, dashes and underscores. */
      fileName(output: z.output<Output>): string;
    };
    /** Replaces JSON in a successful response: the output field of that name, bare, of the type that an input field chooses. */
    readonly bare?: {
      readonly field: string;
      /** Without it the only type is the first. */
      readonly chosenBy?: string;
      readonly types: Readonly<Record<string, `${string}/${string}`>>;
      /** An output field with numbers by name, which a header has instead: `average=12.4, fastest=17.1`. */
      readonly numbers?: { readonly header: "reading-speed"; readonly field: string };
    };
    /**
     * The id of the operation that shows the progress of the work: a caller that sends `Prefer: respond-async` and would have
     * to wait immediately gets its output, with 202 and its address.
     */
    readonly respondAsync?: string;
    /**
     * The operation that follows the started work, and the output field that has its id: an answer with that field is sent with
     * 202 and the address to follow.
     */
    readonly followed?: { readonly by: string; readonly id: string };
    /** The body is media of one of these types instead of JSON; the handler reads it. */
    readonly mediaTypes?: readonly `${string}/${string}`[];
    /**
     * True if a caller that accepts `text/event-stream` gets an event for each change and one at the end, instead of one
     * response.
     */
    readonly events?: true;
    /** A GET that creates something, so there is no HEAD of it. */
    readonly creates?: true;
  };
  readonly tools?: readonly Tool<ToolNames>[];
  /** An additional rate bucket that a call counts against. */
  readonly bucket?: "transcribe" | "bioWrite";
  /**
   * True if it follows work that was counted when it began: a call counts only against the limit of following, and an answer
   * about unfinished work says when to ask again.
   */
  readonly isFollowing?: true;
  /** Input of REST, the client and the command line. It is strict for a body, so that a misspelled field is not lost. */
  readonly input: Input;
  readonly output: Output;
  /** Codes beyond those that every operation may answer with. */
  readonly errors: readonly ErrorCode[];
  /** Reasons beyond those that every operation may give. */
  readonly reasons?: readonly ErrorReason[];
  /** A real input, for documentation; tests execute it. */
  readonly example: z.input<Input>;
  /** A real answer, for documentation. Fields with a value for "not set" may be left out. */
  readonly exampleOutput?: z.input<Output>;
}

/** True if a call only reads, so that a read-only key may use it: it changes, deletes and charges nothing. */
export const onlyReads = ({ http }: Pick<Operation, "http">): boolean => http.method === "GET";

type WithUsual = "input" | "errors" | "example";

/** By default, an operation has no input and no errors of its own. */
export const operation = <
  const Output extends z.ZodObject,
  const Access extends Operation["access"],
  const Input extends z.ZodObject = z.ZodObject<{}>,
  const ToolNames extends string = never,
>(
  declaration: Omit<Operation<Input, Output, ToolNames>, WithUsual> &
    Partial<Pick<Operation<Input, Output, ToolNames>, WithUsual>> & { readonly access: Access },
): Operation<Input, Output, ToolNames> & { readonly access: Access } => ({
  input: z.object({}) as unknown as Input,
  errors: [],
  example: {} as z.input<Input>,
  ...declaration,
});

/** No id of ours is longer. */
export const Id = z.string().min(1).max(128);

/** Fields shared by operations on one item of the account; `prefix` begins the ids of its kind. */
export const onOne = <const Prefix extends string>(prefix: Prefix) => ({
  input: z.strictObject({ id: Id }),
  output: z.object({ id: z.string() }),
  errors: ["notFound" as const],
  example: { id: `${prefix}_4Tz8Qm1Lw0XcVb7K` },
});

/** Fields shared by operations that only signed-in people have for their account. */
export const ofPerson = { section: "Account", access: "session" } as const;

/** Fields shared by operations that only the operator of the service has. */
export const ofOperator = { section: "Account", access: "operator" } as const;
