import { expect, test } from "vitest";
import { readConfig } from "../../src/settings/config.ts";
import { freePort } from "../harness/free-port.ts";
import { serviceOfTest } from "../harness/start-test-service.ts";

test("a service at a loopback address answers for the development sign-in at that address only", async () => {
  const port = await freePort();
  await serviceOfTest({ transcriber: null, port, baseUrl: `http://127.0.0.1:${port}` });
  const discovery = "/dev-idp/.well-known/openid-configuration";
  expect((await fetch(`http://127.0.0.1:${port}${discovery}`)).status).toBe(200);
  const rebound = `http://localhost:${port}`;
  expect((await fetch(`${rebound}${discovery}`)).status, "a name that leads here too").toBe(421);
  expect((await fetch(`${rebound}/dev-login/x`)).status).toBe(421);
  const login = await fetch(`${rebound}/auth/login?return_to=/app/keys`, { redirect: "manual" });
  expect(login.headers.get("location")).toBe(`http://127.0.0.1:${port}/auth/login?return_to=%2Fapp%2Fkeys`);
  expect(login.headers.getSetCookie()).toEqual([]);
});

test("a service says where to report weaknesses, when its operator does", async () => {
  const service = await serviceOfTest({ transcriber: null, securityContact: "mailto:security@reelscript.example" });
  const answer = await fetch(`${service.url}/.well-known/security.txt`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  const text = await answer.text();
  expect(text).toMatch(/^Contact: mailto:security@reelscript\.example\nExpires: \d{4}-\S+Z\n/);
  expect(text).toContain(`Canonical: ${service.url}/.well-known/security.txt\n`);
  const silent = await serviceOfTest({ transcriber: null });
  expect((await fetch(`${silent.url}/.well-known/security.txt`)).status).toBe(404);
  expect(() => readConfig({ SECURITY_CONTACT: "somebody\nExpires: never" }, "/")).toThrow(/SECURITY_CONTACT.*mailto:/);
});
