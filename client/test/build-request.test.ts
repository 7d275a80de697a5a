import { operationWithPlaceholder } from "./placeholder-operation.ts";
import { describe, expect, it } from "vitest";
import { buildRequest } from "../src/build-request.ts";

const service = { baseUrl: "https://reelscript.example/base", apiKey: undefined };

describe("placeholders of a path", () => {
  it("are filled from the input and leave the query", () => {
    const { url } = buildRequest(operationWithPlaceholder, { id: "a/b?c#d", part: ["x", "y"] }, service);
    expect(url.href).toBe("https://reelscript.example/base/api/v1/things/a%2Fb%3Fc%23d?part=x&part=y");
  });

  it.each(["", ".", "..", undefined, null, {}])("refuse %j, which would reach another path", (id) => {
    expect(() => buildRequest(operationWithPlaceholder, { id }, service)).toThrow(/id is missing/);
  });
});
