import { createServer } from "node:http";
import { listen } from "./listen.ts";

export interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

/** Another site, with an empty page at every path. */
export async function startSite(): Promise<Site> {
  const server = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Another site</title>"),
  );
  const { origin } = await listen(server);
  return {
    origin,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
