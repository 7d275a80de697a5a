declare module "virtual:operation-table" {
  export interface OperationLine {
    readonly method: "GET" | "POST" | "PATCH" | "DELETE";
    readonly path: string;
    /** Fields that stand in the query although there is a body. */
    readonly query?: readonly string[];
    /** The field that goes as `If-Match`. */
    readonly ifMatch?: string;
    /** Of a body that may be larger than most. */
    readonly maxBodyBytes?: number;
  }
  /** By the operation's name. */
  export const operationTable: Readonly<Record<string, OperationLine>>;
  export const retryableCodes: readonly string[];
}

declare module "virtual:operation-summaries" {
  /** In words, by the name of each operation that programs may ask for. */
  export const operationSummaries: Readonly<Record<string, string>>;
}
