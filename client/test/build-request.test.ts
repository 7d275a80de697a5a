import type { RequestShape } from "@reelscript/contract/values";
import { describe, expect, it } from "vitest";
import { buildRequest } from "../src/build-request.ts";

const withPlaceholder: RequestShape = { method: "GET", path: "/things/{id}" };
const withPlaces: RequestShape = {
  method: "PATCH",
  path: "/things",
  query: ["dryRun"],
  entityTag: { output: "revision", ifMatch: "ifRevision" },
};
const service = { baseUrl: "https://reelscript.example/base", apiKey: undefined };

describe("placeholders of a path", () => {
  it("are filled from the input and leave the query", () => {
    const { url } = buildRequest(withPlaceholder, { id: "a/b?c#d", part: ["x", "y"] }, service);
    expect(url.href).toBe("https://reelscript.example/base/api/v1/things/a%2Fb%3Fc%23d?part=x&part=y");
  });

  it.each(["", ".", "..", undefined, null, {}])("refuse %j, which would reach another path", (id) => {
    expect(() => buildRequest(withPlaceholder, { id }, service)).toThrow(/id is missing/);
  });
});

describe("fields of a body request", () => {
  it("stand in the query and in If-Match where the operation says so", () => {
    const { url, headers, body } = buildRequest(
      withPlaces,
      { dryRun: true, ifRevision: 17, name: null, more: undefined },
      service,
    );
    expect(url.href).toBe("https://reelscript.example/base/api/v1/things?dryRun=true");
    expect(headers["if-match"]).toBe('"17"');
    expect(JSON.parse(body!)).toEqual({ name: null });
  });

  it("are left out where they are not given", () => {
    const { url, headers, body } = buildRequest(withPlaces, { name: "x" }, service);
    expect([url.search, headers["if-match"], body]).toEqual(["", undefined, '{"name":"x"}']);
  });
});
