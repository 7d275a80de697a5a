/** `fetch` as the program's own types have it. Where they have none, any function that is called like it will do. */
export type Fetch = typeof globalThis extends { readonly fetch: infer Type }
  ? Type
  : (...args: never[]) => Promise<unknown>;

/** `AbortSignal` as the program's own types have it, be they those of pages or of Node. */
export type Signal = typeof globalThis extends { readonly AbortSignal: { readonly prototype: infer Type } }
  ? Type
  : { readonly aborted: boolean };
