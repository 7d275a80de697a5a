import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { expect } from "vitest";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly request?: { readonly url: string } };
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

export interface OpenedPage {
  /** The addresses of all requests so far, in order; `data:` is none. */
  readonly requests: readonly string[];
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens a page in Chromium without a window, and watches what it asks for. `script` runs before the page's own. */
export async function openInBrowser(program: string, url: string, script: string): Promise<OpenedPage> {
  const profile = await mkdtemp(path.join(tmpdir(), "reelscript-browser-"));
  // Without a sandbox, because tests may run as root, where Chromium has none; the page is our own.
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe"];
  const child = spawn(program, [...flags, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const commands = child.stdio[3] as Writable;
  const messages = child.stdio[4] as Readable;
  const waiting = new Map<number, (message: Message) => void>();
  const requests: string[] = [];
  let rest = "";
  messages.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\0");
    rest = parts.pop() ?? "";
    for (const message of parts.map((part) => JSON.parse(part) as Message)) {
      if (message.id !== undefined) waiting.get(message.id)?.(message);
      const asked = message.method === "Network.requestWillBeSent" ? message.params?.request?.url : undefined;
      if (asked !== undefined && !asked.startsWith("data:")) requests.push(asked);
    }
  });

  let last = 0;
  async function command(
    method: string,
    params: object,
    sessionId?: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const id = (last += 1);
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    commands.write(`${JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`);
    const { result, error } = await answered;
    return result ?? expect.fail(`${method}: ${error?.message}`);
  }

  const { targetId } = await command("Target.createTarget", { url: "about:blank" });
  const { sessionId } = (await command("Target.attachToTarget", { targetId, flatten: true })) as { sessionId: string };
  for (const domain of ["Network", "Page", "Runtime"]) await command(`${domain}.enable`, {}, sessionId);
  await command("Page.addScriptToEvaluateOnNewDocument", { source: script }, sessionId);
  await command("Page.navigate", { url }, sessionId);
  return {
    requests,
    async evaluate(expression) {
      const { result } = await command("Runtime.evaluate", { expression, returnByValue: true }, sessionId);
      return (result as { value?: unknown }).value;
    },
    async close() {
      child.kill("SIGKILL");
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
