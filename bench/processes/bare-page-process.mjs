/** Bare Fastify routes that answer given bytes, and nothing else. */
import Fastify from "fastify";
import { answerParent } from "./child.mjs";

let app;

answerParent({
  /** `answers` are `{ path, headers, body }`. */
  async open({ answers }) {
    app = Fastify();
    for (const { path, headers, body } of answers) {
      const bytes = Buffer.from(body);
      app.get(path, async (_request, reply) => reply.headers(headers).send(bytes));
    }
    await app.listen({ host: "127.0.0.1", port: 0 });
    return { port: app.server.address().port };
  },
  close: () => app.close(),
});
