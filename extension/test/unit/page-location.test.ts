import { describe, expect, it } from "vitest";
import { codeIn, pageLocationOf } from "../../src/platform/page-location.ts";
import { permissionsFor, readBaseUrl } from "../../src/service/base-url.ts";

const at = (path: string) => pageLocationOf(new URL(path, "https://www.instagram.com"));

describe("addresses", () => {
  it.each([
    ["/Lena.Bakes/", { kind: "profile", handle: "lena.bakes" }],
    ["/lena.bakes/reels/?hl=en", { kind: "profile", handle: "lena.bakes" }],
    ["/lena.bakes/tagged/", { kind: "other" }],
    ["/reel/aye83DjauH/", { kind: "reel", code: "aye83DjauH" }],
    ["/reels/aye83DjauH/", { kind: "reel", code: "aye83DjauH" }],
    ["/lena.bakes/reel/aye83DjauH/", { kind: "reel", code: "aye83DjauH" }],
    ["/reels/audio/123456789/", { kind: "other" }],
    ["/reels/", { kind: "other" }],
    ["/explore/", { kind: "other" }],
    ["/accounts/login/", { kind: "other" }],
    ["/", { kind: "other" }],
    ["/lena%20bakes/", { kind: "other" }],
  ])("%s", (path, location) => expect(at(path)).toEqual(location));

  it("keeps the case of codes", () => {
    expect(codeIn("/p/AYE83DJAUH/")).toBe("AYE83DJAUH");
    expect(codeIn("http://[")).toBeUndefined();
  });
});

describe("the address of a service", () => {
  it.each([
    ["reels.example.com", "https://reels.example.com"],
    [" https://reels.example.com/app/library ", "https://reels.example.com"],
    ["https://example.com/reels/", "https://example.com/reels"],
    ["127.0.0.1:8787", "http://127.0.0.1:8787"],
    ["http://localhost:8787/app", "http://localhost:8787"],
  ])("%s", (typed, baseUrl) => expect(readBaseUrl(typed)).toEqual({ baseUrl }));

  it.each([
    "",
    "http://reels.example.com",
    "https://me:secret@example.com",
    "ftp://example.com",
    "https://",
    "javascript:alert(1)",
  ])("%s is not one", (typed) => expect(readBaseUrl(typed)).toHaveProperty("problem"));

  it("asks for the platform and the service, and for no more", () => {
    expect(permissionsFor("http://127.0.0.1:8787")).toEqual(["http://127.0.0.1/*", "https://www.instagram.com/*"]);
  });
});
