import { expect, test } from "vitest";
import { createCookieJar } from "../harness/cookie-jar.ts";
import { freePort } from "../harness/free-port.ts";
import { identityProviderOfTests } from "../harness/start-identity-provider.ts";
import { serviceOfTest } from "../harness/start-test-service.ts";

const seen = "https://reelscript.example";
const provider = identityProviderOfTests(() => seen);

test("behind an https proxy people return to BASE_URL with host-only cookies", async () => {
  provider.person = { sub: "ada", email: "ada@example.com" };
  const port = await freePort();
  await serviceOfTest({ transcriber: null, port, baseUrl: seen, signIn: provider.signIn });
  // The proxy passes on what it gets under another name.
  const inside = (url: string): string => url.replace(seen, `http://127.0.0.1:${port}`);

  const jar = createCookieJar();
  const away = await jar.follow(inside(`${seen}/auth/login?return_to=/app/bio`), {}, (url) => url.startsWith(seen));
  const back = await jar.fetch(inside(away.headers.get("location")!));
  expect(back.headers.get("location")).toBe(`${seen}/app/bio`);
  const [cookie] = back.headers.getSetCookie();
  expect(cookie).toMatch(
    /^__Host-reelscript_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const ask = async (origin: string): Promise<number> =>
    (await jar.fetch(inside(`${seen}/app/api/sessions`), { method: "DELETE", headers: { origin } })).status;
  expect(await ask(seen)).toBe(200);
  expect(await ask(`http://127.0.0.1:${port}`)).toBe(403);
  expect((await fetch(inside(`${seen}/dev-login`))).status, "no development sign-in beside a real one").toBe(404);
});
