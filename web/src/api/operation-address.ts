import { addressOf } from "@reelscript/client/core";
import { peopleBasePath } from "@reelscript/contract/values";
import { operationTable } from "virtual:operation-table";
import type { Input, OperationName } from "./operation-types.ts";

/** Where an operation with this input is asked for. */
export const operationAddress = (name: OperationName, input: Readonly<Record<string, unknown>>): string =>
  peopleBasePath + addressOf(operationTable[name], input);

/** Where a form of an answer that is a file can be downloaded from. */
export const downloadAddress = <Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  query: Readonly<Record<string, string>>,
): string => operationAddress(name, { ...input, ...query });
