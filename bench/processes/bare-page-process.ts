/** Bare Fastify routes that answer given bytes, and nothing else. */
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { answerParent } from "./child.ts";

let app: FastifyInstance;

export interface BareAnswer {
  readonly path: string;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Uint8Array;
}

const methods = {
  async open({ answers }: { readonly answers: readonly BareAnswer[] }) {
    app = Fastify();
    for (const { path, headers, body } of answers) {
      const bytes = Buffer.from(body);
      app.get(path, async (_request, reply) => reply.headers(headers).send(bytes));
    }
    await app.listen({ host: "127.0.0.1", port: 0 });
    return { port: (app.server.address() as AddressInfo).port };
  },
  close: () => app.close(),
};
export type BarePageMethods = typeof methods;
answerParent(methods);
