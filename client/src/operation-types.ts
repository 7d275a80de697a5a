import type { OperationName, Operations } from "@reelscript/contract";
import type * as z from "zod";

export type { OperationName };

/** What an operation takes, by its name in the contract. */
export type Input<Name extends OperationName> = z.input<Operations[Name]["input"]>;

/** What an operation answers, by its name in the contract. */
export type Output<Name extends OperationName> = z.output<Operations[Name]["output"]>;

export type Transcription = Output<"getTranscription">;
