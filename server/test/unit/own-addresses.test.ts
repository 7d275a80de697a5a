import { expect, test } from "vitest";
import { createOwnAddresses } from "../../src/sign-in/oauth/own-addresses.ts";

const ofHost = createOwnAddresses("https://bücher.example", ["203.0.113.5", "0.0.0.0", "127.0.0.1"]);
const local = createOwnAddresses("http://localhost:8787", ["127.0.0.1"]);

test.each([
  "https://bücher.example/l/lnk_1",
  "https://xn--bcher-kva.example:444/",
  "https://BÜCHER.EXAMPLE./",
  "https://bücher%2Eexample/",
  "https://bu\u0308cher.example/",
  "https://b\u00ADücher.example/",
  "https://nobody:x@bücher.example/",
  "https:\\\\bücher.example\\l",
  "https://bücher.example.evil.example/",
  "https://www.bücher.example/l",
  "https://WWW.bücher.example./l",
  "https://203.0.113.5/",
  "https://0xcb.0x7105/",
  "googlechromes://bücher.example/l",
  "x-safari-https://xn--bcher-kva.example/l",
  "microsoft-edge:https://b%C3%BCcher%2Eexample/l",
  "intent://ｂücher.example/l",
  "r33lscript://callback",
])("%s leads to a service at a public address", (address) => {
  expect(ofHost.include(address)).toBe(true);
});

test.each([
  "https://notbücher.example/",
  "https://n8n.bücher.example/",
  "http://127.0.0.1:8787/",
  "cursor://bücher.examples/callback",
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "no address",
])("%s leads elsewhere", (address) => {
  expect(ofHost.include(address)).toBe(false);
});

test.each([
  "http://localhost:8787/",
  "http://127.0.0.1:8787/",
  "http://127.9.9.9:8787/",
  "http://2130706433:8787/",
  "http://[::1]:8787/",
  "http://[::ffff:127.0.0.1]:8787/",
  "http://0.0.0.0:8787/",
  "http://any.localhost:8787/",
  "googlechrome://localhost:8787/l",
])("%s leads to a service on this machine", (address) => {
  expect(local.include(address)).toBe(true);
  expect(local.include(address.replace("8787", "8788")), "another program of it").toBe(false);
});

test("only names that read like the service or host name it", () => {
  for (const name of [
    "Reelscript",
    "ReeIscript for Chrome",
    "bücher.example",
    "B.Ü.C.H.E.R. example",
    "xn--bcher-kva.example",
  ])
    expect(ofHost.areNamedIn(name), name).toBe(true);
  for (const name of ["Claude", "MCP CLI Proxy", "Reel Studio", "Script reader", "Bücherei", ""])
    expect(ofHost.areNamedIn(name), name).toBe(false);
  expect(local.areNamedIn("localhost tools")).toBe(false);
});
