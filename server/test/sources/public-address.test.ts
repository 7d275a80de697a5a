import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isHiddenLiteral, isPublicAddress } from "../../src/adapters/guarded-fetch/guarded-lookup.ts";
import { isAtAllowedOrigin } from "../../src/adapters/guarded-fetch/guarded-request.ts";

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
  ])("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));

  test.each(["2a03:2880:f101:83:face:b00c:0:25de", "2606:4700::1111", "2001:4860:4860::8888", "2003::1"])(
    "%s is public",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  test.each([
    ["this network", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["private", "10.0.0.1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["carrier-grade NAT", "100.127.255.255"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["link-local, metadata of clouds", "169.254.169.254"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["protocol assignments", "192.0.0.8"],
    ["documentation", "192.0.2.1"],
    ["6to4 relay", "192.88.99.1"],
    ["private", "192.168.1.1"],
    ["benchmarks", "198.18.0.1"],
    ["benchmarks", "198.19.255.255"],
    ["documentation", "198.51.100.7"],
    ["documentation", "203.0.113.7"],
    ["multicast", "224.0.0.1"],
    ["multicast", "239.255.255.250"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["IPv4-mapped", "::ffff:127.0.0.1"],
    ["IPv4-mapped, even of a public one", "::ffff:8.8.8.8"],
    ["IPv4-mapped in hexadecimal", "::ffff:a9fe:a9fe"],
    ["IPv4-compatible", "::7f00:1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["local NAT64", "64:ff9b:1::1"],
    ["discard", "100::1"],
    ["Teredo", "2001:0:4136:e378::1"],
    ["ORCHID", "2001:20::1"],
    ["documentation", "2001:db8::1"],
    ["6to4 of a private address", "2002:7f00:1::1"],
    ["documentation", "3fff::1"],
    ["segment routing", "5f00::1"],
    ["unique local", "fc00::1"],
    ["unique local", "fd12:3456::1"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["public with a zone", "2606:4700::1111%1"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["no address", "localhost"],
    ["no address", ""],
    ["no plain spelling", "0x7f.1"],
    ["no plain spelling", "2130706433"],
  ])("%s: %s is not public", (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

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
