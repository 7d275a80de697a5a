import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createSmtpMailer } from "../../src/adapters/mail/smtp-mailer.ts";
import { hashOf } from "../../src/sign-in/secret.ts";
import type { Mailer } from "../../src/ports.ts";
import { inviteByMail } from "../../src/start/invite.ts";
import { createCookieJar } from "../harness/cookie-jar.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

interface Received {
  readonly to: readonly string[];
  readonly raw: string;
}

const user = "reelscript";
const password = "secret & such";
const from = "Reelscript <no-reply@reelscript.example>";

/** A real server for mail, which takes, refuses or rejects. */
async function startMailServer() {
  const mails: Received[] = [];
  const behavior = { refusesRecipients: false };
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password: given }, _session, done) =>
      username === user && given === password ? done(null, { user }) : done(new Error("wrong password")),
    onRcptTo: (_address, _session, done) => done(behavior.refusesRecipients ? new Error("no such mailbox") : null),
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(parts).toString() });
        done();
      });
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    mails,
    behavior,
    url: `smtp://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A server that takes connections and says nothing, or a byte now and then. */
async function startSilent(drips: boolean): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (!drips) return;
    const timer = setInterval(() => socket.write("2"), 500);
    socket.once("close", () => clearInterval(timer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe("mail", () => {
  let mailServer: Awaited<ReturnType<typeof startMailServer>>;
  const delegate: { mailer: Mailer | undefined } = { mailer: undefined };
  const mailer: Mailer = {
    send: (mail) => delegate.mailer!.send(mail),
    verify: () => delegate.mailer!.verify(),
  };
  beforeAll(async () => {
    mailServer = await startMailServer();
    delegate.mailer = createSmtpMailer({ url: mailServer.url, from });
  });
  afterEach(() => {
    mailServer.mails.splice(0);
    mailServer.behavior.refusesRecipients = false;
    delegate.mailer = createSmtpMailer({ url: mailServer.url, from });
  });
  afterAll(() => mailServer.close());

  const service = serviceOfTests({ transcriber: null, signIn: { kind: "password" }, mailer });
  const good = "correct horse battery";

  const inviteSomebody = async (email: string) => {
    const { store, clock, url } = service;
    const needs = { passwords: store.passwords, clock, site: url, mailer };
    return inviteByMail(needs, { email, plan: "free", by: "ada", reason: "test" });
  };
  /** The text of a mail, without the encoding of its lines. */
  const textOf = ({ raw }: Received): string =>
    raw.slice(raw.indexOf("\r\n\r\n")).replaceAll("=\r\n", "").replaceAll("=3D", "=");
  const linkIn = (mail: Received): string => /http:\/\/\S+\/app\/invitation#([\w-]{43})/.exec(textOf(mail))![1]!;
  const post = async (path: string, fields: Readonly<Record<string, string>>, jar = createCookieJar()) =>
    jar.fetch(`${service.url}${path}`, {
      method: "POST",
      headers: { origin: service.url, accept: "application/json" },
      body: new URLSearchParams(fields),
    });
  async function enter(path: string, fields: Readonly<Record<string, string>>): Promise<number> {
    const jar = createCookieJar();
    const begun = await jar.fetch(`${service.url}/auth/login`, { headers: { accept: "application/json" } });
    const { location } = (await begun.json()) as { location: string };
    const state = new URL(location).searchParams.get("state")!;
    return (await post(path, { ...fields, state }, jar)).status;
  }

  test("brings an invitation, with which somebody sets a password", async () => {
    const { isMailed } = await inviteSomebody("Ada@example.com");
    expect(isMailed).toBe(true);
    const [mail] = mailServer.mails;
    expect(mail?.to).toEqual(["ada@example.com"]);
    expect(mail?.raw).toMatch(/^From: Reelscript <no-reply@reelscript\.example>$/m);
    expect(mail?.raw).toMatch(/^Subject: Your invitation to Reelscript$/m);
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(await enter("/auth/invitation/accept", { token: linkIn(mail!), password: good })).toBe(200);
    expect(await enter("/auth/password", { email: "ada@example.com", password: good })).toBe(200);
  });

  test("brings a link for a forgotten password to who has an account, and answers everybody alike", async () => {
    await inviteSomebody("bo@example.com");
    await enter("/auth/invitation/accept", { token: linkIn(mailServer.mails[0]!), password: good });
    mailServer.mails.splice(0);
    const method = await fetch(`${service.url}/auth/method`);
    expect(await method.json()).toEqual({ method: "password", mails: true });
    for (const email of ["bo@example.com", "nobody@example.com"]) {
      const answer = await post("/auth/password/forgotten", { email });
      expect([answer.status, await answer.json()]).toEqual([200, {}]);
    }
    await expect.poll(() => mailServer.mails.map(({ to }) => to)).toEqual([["bo@example.com"]]);
    expect(await service.store.passwords.findByEmail("nobody@example.com"), "nobody got an account").toBeUndefined();
    const token = linkIn(mailServer.mails[0]!);
    expect(await service.store.passwords.findInvitation(hashOf(token), service.clock.now())).toMatchObject({
      isReset: true,
    });
    expect(await enter("/auth/invitation/accept", { token, password: "another long password" })).toBe(200);
    expect(await enter("/auth/password", { email: "bo@example.com", password: good })).toBe(401);
    const [entry] = await service.store.moderation.audit(1);
    expect(entry).toMatchObject({ action: "resetPassword", by: "sign-in page", reason: "forgotten password" });
  });

  test("is asked for at most three times an hour for an address by a network", async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1)
      statuses.push((await post("/auth/password/forgotten", { email: "flood@example.com" })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const spelled = { email: "fl\0ood@example.com\0" };
    expect((await post("/auth/password/forgotten", spelled)).status, "the same to the database").toBe(429);
    service.clock.advance(hour);
    expect((await post("/auth/password/forgotten", { email: "flood@example.com" })).status).toBe(200);
    for (const email of ["", "no address", "two@a@b", `${"x".repeat(250)}@example.com`])
      expect([email, (await post("/auth/password/forgotten", { email })).status]).toEqual([email, 400]);
  });

  test.each([
    ["refuses its recipients", () => void (mailServer.behavior.refusesRecipients = true)],
    [
      "refuses the password",
      () => void (delegate.mailer = createSmtpMailer({ url: mailServer.url.replace("secret", "other"), from })),
    ],
    ["is away", () => void (delegate.mailer = createSmtpMailer({ url: "smtp://127.0.0.1:9", from }))],
  ])("stops neither invitations nor the sign-in when its server %s", async (_what, trouble) => {
    await inviteSomebody("cleo@example.com");
    trouble();
    const invitation = await inviteSomebody("cleo@example.com");
    expect(invitation.isMailed).toBe(false);
    const token = new URL(invitation.link).hash.slice(1);
    expect(await enter("/auth/invitation/accept", { token, password: good })).toBe(200);
    expect((await post("/auth/password/forgotten", { email: "cleo@example.com" })).status).toBe(200);
    expect(await enter("/auth/password", { email: "cleo@example.com", password: good })).toBe(200);
    await expect(mailer.send({ to: "x@example.com", subject: "x", text: "x" })).rejects.toThrow(/\w/);
    service.clock.advance(hour);
  });

  test.each([false, true])("has an end when its server hangs (a byte now and then: %s), and a bound", async (drips) => {
    const { url, server } = await startSilent(drips);
    try {
      const hanging = createSmtpMailer({ url, from });
      const mail = { to: "x@example.com", subject: "x", text: "x" };
      // Two are on their way and fifty wait.
      const answers = Array.from({ length: 53 }, () => hanging.send(mail).catch((error: Error) => error.message));
      expect(await answers[52]).toBe("50 mails wait already");
      expect(await answers[0]).toMatch(/\w/);
      await expect(createSmtpMailer({ url, from }).verify()).rejects.toThrow(/\w/);
    } finally {
      server.close();
    }
  });

  test("leaves this machine only encrypted, and takes no header from an address", async () => {
    // The same server under an address that doesn't say that it is this machine.
    const elsewhere = createSmtpMailer({ url: mailServer.url.replace("127.0.0.1", "0.0.0.0"), from });
    await expect(elsewhere.send({ to: "x@example.com", subject: "x", text: "x" })).rejects.toThrow(/TLS|certificate/);
    expect(mailServer.mails).toEqual([]);
    await mailer.send({ to: "x@example.com", subject: "a\r\nBcc: evil@example.com", text: "x" });
    const [mail] = mailServer.mails;
    expect(mail?.to).toEqual(["x@example.com"]);
    expect(mail?.raw).not.toMatch(/^Bcc:/m);
  });
});
