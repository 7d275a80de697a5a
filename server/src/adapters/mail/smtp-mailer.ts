import { isIP } from "node:net";
import type { Mailer } from "../../ports.ts";

export interface MailSettings {
  /** `smtp://` or `smtps://`, with name and password if the server wants them. */
  readonly url: string;
  readonly from: string;
}

/** Milliseconds for one mail, whatever the server does; a server that drips is cut off too. */
const longest = 10_000;
const longestSilence = 5_000;
const atATime = 2;
const mostWaiting = 50;

const smtpPort = 587;
const smtpsPort = 465;

const isThisMachine = (host: string): boolean => host === "localhost" || host === "[::1]" || host.startsWith("127.");

/** The library's settings. Links in mails are secrets, so they leave this machine only encrypted. */
function optionsOf(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  const host = hostname.replace(/^\[|\]$/g, "");
  return {
    host,
    port: port === "" ? (secure ? smtpsPort : smtpPort) : Number(port),
    secure,
    requireTLS: !secure && !isThisMachine(hostname),
    ...(username !== "" && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...(isIP(host) === 0 && { tls: { servername: host } }),
    connectionTimeout: longestSilence,
    greetingTimeout: longestSilence,
    socketTimeout: longestSilence,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Sends mail by a server. At most two mails are on their way at a time, and 50 wait. */
export function createSmtpMailer({ url, from }: MailSettings): Mailer {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= atATime) {
      if (waiting.length >= mostWaiting) throw new Error(`${mostWaiting} mails wait already`);
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  // Loaded on demand: most services send no mail.
  const open = async () => (await import("nodemailer")).createTransport(optionsOf(url));
  return {
    send: ({ to, subject, text }) =>
      inTurn(async () => {
        const transport = await open();
        await transport.sendMail({
          from,
          to: { name: "", address: to },
          subject,
          text,
          signal: AbortSignal.timeout(longest),
          headers: { "Auto-Submitted": "auto-generated" },
        });
      }),
    verify: () =>
      inTurn(async () => {
        const transport = await open();
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<never>((_resolve, reject) => {
          timer = setTimeout(() => reject(new Error("no answer in time")), longest);
        });
        try {
          await Promise.race([transport.verify(), late]);
        } finally {
          clearTimeout(timer);
          transport.close();
        }
      }),
  };
}
