import { request } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { AdminError } from "./admin-error.ts";
import type { Answered, StoreCommand } from "./command.ts";

/** After this many milliseconds without an answer the service counts as stuck. */
const patience = 15_000;
/** Compressing a large database takes minutes, without any answer meanwhile. */
const patienceForBackup = 30 * 60_000;

const Reply = z.object({ answer: z.json(), text: z.string() });
const Refusal = z.object({ kind: z.enum(["usage", "refused"]), message: z.string() });

/** Nobody listens at the socket: the service for this data isn't running, or isn't ready yet. */
export class NobodyListens extends Error {
  override readonly name = "NobodyListens";
}

/** Sends a command to the service that listens at `address`. Throws `AdminError`, or `NobodyListens` if nothing was done. */
export async function askService(
  address: string,
  { words, isBackup }: Pick<StoreCommand, "words" | "isBackup">,
  input: unknown,
): Promise<Answered> {
  const timeout = isBackup ? patienceForBackup : patience;
  const { status, body } = await post(address, `/${words.replace(" ", "/")}`, timeout, JSON.stringify(input));
  const refusal = status === 200 ? undefined : Refusal.safeParse(body);
  if (refusal?.success) throw new AdminError(refusal.data.kind, refusal.data.message);
  const reply = Reply.safeParse(body);
  if (status === 200 && reply.success) return reply.data;
  throw new AdminError("refused", `what listens at ${address} gave an unexpected answer; does it run another version?`);
}

function post(
  address: string,
  target: string,
  timeout: number,
  body: string,
): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const clientRequest = request(
      { socketPath: address, path: target, method: "POST", agent: false, timeout, headers },
      (response) => {
        text(response).then((answer) => resolve({ status: response.statusCode, body: parseJson(answer) }), reject);
      },
    );
    clientRequest.once("timeout", () =>
      clientRequest.destroy(new AdminError("refused", `the service at ${address} does not answer; it may be stuck`)),
    );
    clientRequest.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, address)));
    clientRequest.end(body);
  });
}

function explain(error: NodeJS.ErrnoException, path: string): Error {
  if (error instanceof AdminError) return error;
  if (
    error.syscall === "connect" &&
    (error.code === "ENOENT" || error.code === "ECONNREFUSED" || error.code === "ENOTDIR")
  )
    return new NobodyListens("nobody listens", { cause: error });
  if (error.code === "EACCES" || error.code === "EPERM")
    return new AdminError("refused", `the data belong to another user, who alone may open ${path}`, error);
  return new AdminError(
    "refused",
    `the connection to the service broke (${error.code ?? error.message}); look before you repeat it`,
    error,
  );
}

function parseJson(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}
