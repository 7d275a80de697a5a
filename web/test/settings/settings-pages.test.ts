import { describe, expect, test } from "vitest";
import { errors } from "@reelscript/contract";
import { firstCurl, mcpCommand, transcribeCurl } from "../../src/pages/settings/secret-dialog.tsx";
import { isSameConfirmation } from "@reelscript/contract/values";
import { statusKind, statusMeaning } from "../../src/pages/settings/key-page.tsx";

describe("the answers of requests", () => {
  test("have words of their own for every status that the service knows", () => {
    const general = new Set([statusMeaning(299), statusMeaning(499)]);
    for (const { status } of Object.values(errors)) expect(general).not.toContain(statusMeaning(status));
    expect([statusMeaning(204), statusMeaning(418), statusMeaning(504)]).toEqual(["Done", "Refused", "Our error"]);
  });

  test("are told apart by what can be done about them", () => {
    expect([200, 202].map(statusKind)).toEqual(["ok", "ok"]);
    expect([409, 429, 500, 503].map(statusKind)).toEqual(["warn", "warn", "warn", "warn"]);
    expect([400, 401, 403, 404].map(statusKind)).toEqual(["bad", "bad", "bad", "bad"]);
  });
});

test("an account is deleted only by its address, in any case", () => {
  expect(isSameConfirmation(" Ada@Example.com ", "ada@example.com")).toBe(true);
  expect(isSameConfirmation("ada@example.co", "ada@example.com")).toBe(false);
  expect(isSameConfirmation("", "")).toBe(false);
});

test("commands name the service and the key as a shell reads them", () => {
  for (const command of [firstCurl, mcpCommand, transcribeCurl]) {
    const text = command("https://reels.example", "svc_sk_x");
    expect(text).toContain("https://reels.example/");
    expect(text).toContain('"Authorization: Bearer svc_sk_x"');
    expect(text.replaceAll("\\\n", "")).not.toContain("\n");
  }
});
