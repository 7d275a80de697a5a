import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { secretIn } from "./secret.ts";

/** `session` identifies the signed-in session, `signIn` the browser that started to sign in. */
type CookieName = "session" | "signIn";

const names: Record<CookieName, string> = { session: "reelscript_session", signIn: "reelscript_sign_in" };

/**
 * Reads and writes our cookies. On https their prefix keeps other hosts from setting or reading them. On http their names
 * contain the port, because services on one machine share cookies.
 */
export function createCookies(baseUrl: () => string) {
  const nameOf = (cookie: CookieName): string => {
    const { protocol, port } = new URL(baseUrl());
    if (protocol === "https:") return `__Host-${names[cookie]}`;
    return port === "" ? names[cookie] : `${names[cookie]}_${port}`;
  };
  const write = (reply: FastifyReply, cookie: CookieName, value: string, maxAge: number): void => {
    const options = {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: baseUrl().startsWith("https:"),
      maxAge,
    } as const;
    reply.header("set-cookie", stringifySetCookie(nameOf(cookie), value, options));
  };
  return {
    /** The value, if we could have issued it. */
    read: (request: FastifyRequest, cookie: CookieName): string | undefined =>
      secretIn(parseCookie(request.headers.cookie ?? "")[nameOf(cookie)]),
    has: (request: FastifyRequest, cookie: CookieName): boolean =>
      parseCookie(request.headers.cookie ?? "")[nameOf(cookie)] !== undefined,
    give: (reply: FastifyReply, cookie: CookieName, value: string, seconds: number): void =>
      write(reply, cookie, value, Math.floor(seconds)),
    clear: (reply: FastifyReply, cookie: CookieName): void => write(reply, cookie, "", 0),
  };
}
