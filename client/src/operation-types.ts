import type { AllOperations, AnyOperationName, OperationName } from "@reelscript/contract";

export type { AnyOperationName, OperationName };

/** Input of an operation, by its name in the contract: fields with a default may be left out. */
export type Input<Name extends AnyOperationName> = AllOperations[Name]["input"]["_zod"]["input"];

/** Output of an operation, by its name in the contract. */
export type Output<Name extends AnyOperationName> = AllOperations[Name]["output"]["_zod"]["output"];

export type Transcription = Output<"getTranscription">;
