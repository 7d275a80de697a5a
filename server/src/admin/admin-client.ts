import { request } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { type AdminCommandName, adminCommands, type AdminOutput, type Administer } from "./admin-commands.ts";
import { AdminError } from "./admin-error.ts";

/** Milliseconds without an answer after which the service counts as stuck. */
const patience = 15_000;
/** A large database is compressed for minutes before there is an answer. */
const patienceForBackup = 30 * 60_000;

const Refusal = z.object({ kind: z.enum(["usage", "refused"]), message: z.string() });

/** Nobody listens at the socket: the service of these data is not running, or not ready yet. */
export class NobodyListens extends Error {
  override readonly name = "NobodyListens";
}

/** Commands carried out by the service that listens at `path`. Throws `AdminError`, or `NobodyListens` before anything was done. */
export function connectAdmin(path: string): Administer {
  return async <Name extends AdminCommandName>(name: Name, input: unknown) => {
    const { status, body } = await post(path, name, JSON.stringify(input));
    const refusal = status === 200 ? undefined : Refusal.safeParse(body);
    if (refusal?.success) throw new AdminError(refusal.data.kind, refusal.data.message);
    const output = adminCommands[name].output.safeParse(body);
    if (status !== 200 || !output.success)
      throw new AdminError(
        "refused",
        `what listens at ${path} answers otherwise than expected; is it of another version?`,
      );
    return output.data as AdminOutput<Name>; // Read by the schema of the same name.
  };
}

function post(
  path: string,
  name: AdminCommandName,
  body: string,
): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        socketPath: path,
        path: `/${name}`,
        method: "POST",
        agent: false,
        timeout: name === "backupCreate" ? patienceForBackup : patience,
        headers: { "content-type": "application/json" },
      },
      (response) => {
        text(response).then((answer) => resolve({ status: response.statusCode, body: parseJson(answer) }), reject);
      },
    );
    sent.once("timeout", () =>
      sent.destroy(new AdminError("refused", `the service at ${path} does not answer; it may be stuck`)),
    );
    sent.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, path)));
    sent.end(body);
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
