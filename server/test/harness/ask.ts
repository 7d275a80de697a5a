import { request } from "node:http";

export interface TextAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
}

const browserAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/** Sends one request with exactly these headers, including `Host`, and neither follows redirects nor decompresses. */
export function ask(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<TextAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers: { accept: browserAccept, ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const bytes = Buffer.concat(parts);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() });
      });
    })
      .on("error", reject)
      .end();
  });
}
