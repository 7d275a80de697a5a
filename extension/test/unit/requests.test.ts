import { allOperations, extensionOperations } from "@reelscript/contract";
import { describe, expect, it } from "vitest";
import { type RequestName, requests } from "../../src/service/requests.ts";

describe("requests to the service", () => {
  it.each(Object.keys(requests) as RequestName[])("%s has the address that the contract gives it", (name) => {
    const { method, path } = allOperations[name].http;
    expect(requests[name]).toMatchObject({ method, path });
    // The exchange of the code comes before the token.
    if (name !== "connectExtension") expect(extensionOperations).toContain(name);
  });
});
