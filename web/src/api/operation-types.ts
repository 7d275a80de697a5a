import type { Operations, PeopleOperations } from "@reelscript/contract";

type All = Operations & PeopleOperations;

/** Every operation that a signed-in person may ask for. */
export type OperationName = keyof All;
/** What is given: fields with a default may be left out. */
export type Input<Name extends OperationName> = All[Name]["input"]["_zod"]["input"];
export type Output<Name extends OperationName> = All[Name]["output"]["_zod"]["output"];
