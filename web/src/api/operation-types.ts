import type { AllOperations, AnyOperationName } from "@reelscript/contract";

/** Every operation that a signed-in person may ask for. */
export type OperationName = AnyOperationName;
/** What is given: fields with a default may be left out. */
export type Input<Name extends OperationName> = AllOperations[Name]["input"]["_zod"]["input"];
export type Output<Name extends OperationName> = AllOperations[Name]["output"]["_zod"]["output"];
