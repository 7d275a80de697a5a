import { type Client, createClient, type Output } from "@reelscript/client";
import type { OperationName } from "@reelscript/contract";
import { describe, expectTypeOf, it } from "vitest";

type Several =
  | "followTranscription"
  | "transcribeAndFollow"
  | "transcribeReels"
  | "sendBatches"
  | "followBatch"
  | "allScripts"
  | "allCompetitorReports";

// `tsc --build` checks these; a promise that breaks does not compile.
describe("the client's types follow the contract", () => {
  it("name every operation, and what makes several requests", () => {
    expectTypeOf<Exclude<keyof Client, Several>>().toEqualTypeOf<OperationName>();
    const incomplete = { getUsage: () => Promise.reject(new Error("unused")) };
    // @ts-expect-error -- a client must have every operation
    const client: Client = incomplete;
    void client;
  });

  it("refuse misspelled, missing and mistyped fields", () => {
    const unused = (client: Client) => [
      client.transcribeReel({ url: "https://x.example", languageHint: "en" }),
      // @ts-expect-error -- misspelled
      client.transcribeReel({ url: "https://x.example", langHint: "en" }),
      // @ts-expect-error -- the url is required
      client.transcribeReel({}),
      // @ts-expect-error -- the input is required
      client.transcribeReel(),
      // @ts-expect-error -- not one of the orders
      client.searchMyScripts({ sort: "length" }),
      // @ts-expect-error -- a number
      client.searchMyScripts({ limit: "5" }),
      // @ts-expect-error -- no such operation
      client.deleteEverything(),
      client.searchMyScripts(),
      client.getUsage(),
    ];
    expectTypeOf(unused).parameter(0).toEqualTypeOf<Client>();
    expectTypeOf(createClient).returns.toEqualTypeOf<Client>();
  });

  it("give every output its own type", () => {
    expectTypeOf<Awaited<ReturnType<Client["getUsage"]>>>().toEqualTypeOf<Output<"getUsage">>();
    expectTypeOf<Output<"searchMyScripts">["scripts"][number]["engagementRate"]>().toEqualTypeOf<number | undefined>();
  });
});
