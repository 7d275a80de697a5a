import { once } from "node:events";
import { connect } from "node:net";

/** The key under which WebDriver puts the id of an element. */
const elementKey = "element-6066-11e4-a52e-4f735466cecf";

/** An element in a document, as commands name it. */
export interface ElementHandle {
  readonly [elementKey]: string;
}

export const idOf = (handle: ElementHandle): string => handle[elementKey];

/** Firefox's own remote control, which its driver for WebDriver speaks to, too. */
export interface Marionette {
  /** Sends one command, such as `WebDriver:Navigate`. Rejects with the browser's error, or if the connection ends first. */
  send<Result>(command: string, parameters?: Readonly<Record<string, unknown>>): Promise<Result>;
  close(): void;
}

type Reply = readonly [
  type: 1,
  id: number,
  error: { readonly error: string; readonly message: string } | null,
  unknown,
];

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** Connects to a Firefox that was started with `--marionette`. Messages are `BYTES:JSON`. */
export async function connectMarionette(port: number): Promise<Marionette> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const waiting = new Map<number, Waiting>();
  let received = Buffer.alloc(0);
  let lastId = 0;

  function answer([, id, error, result]: Reply): void {
    const command = waiting.get(id);
    waiting.delete(id);
    if (error === null) command?.resolve(result as never);
    else command?.reject(new Error(`${error.error}: ${error.message}`));
  }

  socket.on("data", (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    for (;;) {
      const colon = received.indexOf(":");
      if (colon === -1) return;
      const end = colon + 1 + Number(received.subarray(0, colon).toString());
      if (received.length < end) return;
      const message: unknown = JSON.parse(received.subarray(colon + 1, end).toString());
      received = received.subarray(end);
      // The browser introduces itself with an object.
      if (Array.isArray(message)) answer(message as unknown as Reply);
    }
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("Firefox closed the connection"));
    waiting.clear();
  });

  return {
    send: async <Result>(command: string, parameters: Readonly<Record<string, unknown>> = {}) =>
      new Promise<Result>((resolve, reject) => {
        if (socket.destroyed) return reject(new Error(`Firefox is gone, and can't ${command}`));
        const id = (lastId += 1);
        waiting.set(id, { resolve, reject });
        const message = JSON.stringify([0, id, command, parameters]);
        socket.write(`${Buffer.byteLength(message)}:${message}`);
      }),
    close: () => void socket.destroy(),
  };
}
