import { createSocket } from "node:dgram";
import { once } from "node:events";
import { onTestFinished } from "vitest";

export interface NameServer {
  /** An address for `Resolver.setServers`. */
  readonly address: string;
  /** The requested names, each once. */
  readonly requestedNames: ReadonlySet<string>;
  close(): Promise<void>;
}

const addressQuestion = 1;

/**
 * A name server on this machine: `known` names have one IPv4 address, `null` means that a name doesn't exist, and queries for
 * all others get no answer.
 */
/** IPv4 addresses by name; null for names that don't exist. Others are never answered. */
type Addresses = Readonly<Record<string, string | null>>;

export async function startNameServer(addresses: Addresses = {}): Promise<NameServer> {
  const socket = createSocket("udp4");
  const requestedNames = new Set<string>();
  socket.on("message", (message, { port, address }) => {
    const { name, type, end } = questionIn(message);
    requestedNames.add(name);
    const ipAddress = addresses[name];
    if (ipAddress !== undefined) socket.send(answerTo(message.subarray(0, end), type, ipAddress), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    requestedNames,
    async close() {
      socket.close();
      await once(socket, "close");
    },
  };
}

function questionIn(message: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(question: Buffer, type: number, ipAddress: string | null): Buffer {
  const hasAnswer = ipAddress !== null && type === addressQuestion;
  const answer = Buffer.from(question);
  answer.writeUInt16BE(ipAddress === null ? 0x8183 : 0x8180, 2);
  for (const [at, count] of [1, hasAnswer ? 1 : 0, 0, 0].entries()) answer.writeUInt16BE(count, 4 + 2 * at);
  if (!hasAnswer) return answer;
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...ipAddress.split(".").map(Number)]);
  return Buffer.concat([answer, record]);
}

/** A name server for the running test. */
export async function nameServerOfTest(addresses?: Addresses): Promise<NameServer> {
  const names = await startNameServer(addresses);
  onTestFinished(() => names.close());
  return names;
}
