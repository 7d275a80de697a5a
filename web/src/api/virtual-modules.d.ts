declare module "virtual:operation-table" {
  import type { AnyOperationName, RequestShape } from "@reelscript/contract";

  export const operationTable: Readonly<Record<AnyOperationName, RequestShape>>;
}

declare module "virtual:operation-summaries" {
  /** In words, by the name of each operation that programs may ask for. */
  export const operationSummaries: Readonly<Record<string, string>>;
}
