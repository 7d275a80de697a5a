import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isHiddenLiteral, isPublicAddress } from "../../src/adapters/guarded-fetch/guarded-lookup.ts";
import { isAtAllowedOrigin } from "../../src/adapters/guarded-fetch/guarded-fetch.ts";

describe("public addresses", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "31.13.64.1",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.0.1",
    "172.32.0.1",
    "223.255.255.255",
    "2a03:2880:f101:83:face:b00c:0:25de",
    "2606:4700::1111",
    "2001:4860:4860::8888",
    "2003::1",
  ])("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));

  const special: Readonly<Record<string, readonly string[]>> = {
    "this network": ["0.0.0.0", "0.1.2.3"],
    private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    "carrier-grade NAT": ["100.64.0.1", "100.127.255.255"],
    loopback: ["127.0.0.1", "127.255.255.254", "::1"],
    "link-local": ["169.254.169.254", "fe80::1"],
    "protocol assignments": ["192.0.0.8"],
    documentation: ["192.0.2.1", "198.51.100.7", "203.0.113.7", "2001:db8::1", "3fff::1"],
    "6to4": ["192.88.99.1", "2002:7f00:1::1"],
    benchmarks: ["198.18.0.1", "198.19.255.255"],
    multicast: ["224.0.0.1", "239.255.255.250", "ff02::1"],
    reserved: ["240.0.0.1"],
    broadcast: ["255.255.255.255"],
    unspecified: ["::"],
    "IPv4-mapped": ["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:a9fe:a9fe"],
    "IPv4-compatible": ["::7f00:1"],
    NAT64: ["64:ff9b::7f00:1"],
    "local NAT64": ["64:ff9b:1::1"],
    discard: ["100::1"],
    Teredo: ["2001:0:4136:e378::1"],
    ORCHID: ["2001:20::1"],
    "segment routing": ["5f00::1"],
    "unique local": ["fc00::1", "fd12:3456::1"],
    "with a zone": ["fe80::1%eth0", "2606:4700::1111%1"],
    "site-local": ["fec0::1"],
    "no address": ["localhost", ""],
    "no plain spelling": ["0x7f.1", "2130706433"],
  };
  test.each(Object.entries(special).flatMap(([what, addresses]) => addresses.map((address) => [what, address])))(
    "%s: %s is not public",
    (_, address) => expect(isPublicAddress(address!)).toBe(false),
  );

  test("no IPv4 address becomes public by being wrapped into IPv6", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom("::ffff:", "::", "64:ff9b::"), (address, prefix) => {
        expect(isPublicAddress(prefix + address)).toBe(false);
      }),
    );
  });

  test.each([
    "http://2130706433/",
    "http://0x7f000001/",
    "http://127.1/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::1]/",
  ])("the host of %s is hidden, however it is spelled", (url) =>
    expect(isHiddenLiteral(new URL(url).hostname)).toBe(true),
  );

  test("names and public literals are left to the lookup", () => {
    expect(isHiddenLiteral("localhost")).toBe(false);
    expect(isHiddenLiteral("1.1.1.1")).toBe(false);
  });
});

describe("allowed origins", () => {
  const origins = ["https://www.example.com", "https://*.media.example", "http://127.0.0.1:8789"];

  test.each([
    "https://www.example.com/a",
    "https://www.example.com:443/a",
    "https://one.media.example/",
    "https://a.b.media.example/x?y",
    "http://127.0.0.1:8789/file",
  ])("%s is allowed", (url) => expect(isAtAllowedOrigin(new URL(url), origins)).toBe(true));

  test.each([
    "http://www.example.com/",
    "https://www.example.com:8443/",
    "https://example.com/",
    "https://www.example.com.evil.example/",
    "https://media.example/",
    "https://evilmedia.example/",
    "http://one.media.example/",
    "https://one.media.example:444/",
    "https://one.media.example@evil.example/",
    "https://user@www.example.com/",
    "https://:secret@www.example.com/",
    "http://127.0.0.1:8788/",
    "http://127.0.0.1/",
    "https://127.0.0.1:8789/",
    "ftp://www.example.com/",
    "file:///etc/passwd",
    "data:,x",
  ])("%s is not", (url) => expect(isAtAllowedOrigin(new URL(url), origins)).toBe(false));
});
