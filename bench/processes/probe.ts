/** Loaded before the service: records its statements and passes them to the bench. */
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import pg from "pg";

/** A statement in the form that `pg` takes. */
export interface Statement {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}
type Query = (this: pg.Client, config: Partial<Statement> | string, ...others: unknown[]) => unknown;

let statements: Statement[] | undefined;
/** Set while a request is answered, so that statements of background work are left out. */
const answering = new AsyncLocalStorage<true>();

/** The result of each method of the probe. */
export interface ProbeAnswers {
  readonly noteStatements: undefined;
  /** The statements since the last `noteStatements`. */
  readonly takeStatements: Statement[];
}
export type ProbeMethod = keyof ProbeAnswers;

const methods: { readonly [Method in ProbeMethod]: () => ProbeAnswers[Method] } = {
  noteStatements() {
    statements = [];
    return undefined;
  },
  takeStatements() {
    const taken = statements ?? [];
    statements = undefined;
    return taken;
  },
};

// The service's own children have another environment.
if (process.env.BENCH_PROBE) {
  subscribe("http.server.request.start", () => answering.enterWith(true));
  process.on("message", (method: ProbeMethod) => process.send!({ answer: methods[method]() }));
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function noted(config, ...others) {
    const { name, text = "", values = others[0] } = typeof config === "string" ? { text: config } : config;
    if (answering.getStore())
      statements?.push({ name, text, values: Array.isArray(values) ? [...(values as unknown[])] : [] });
    return query.call(this, config, ...others);
  };
}
