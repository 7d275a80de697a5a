import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn } from "../harness/sign-in.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";

describe("signing in with the development provider", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ transcriber: null });
  });
  afterAll(() => service.close());

  test("makes an account of the person, who is the same the next time and in another browser", async () => {
    const first = await signIn(service, {
      email: "Ada@Example.com",
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    });
    const { body } = await first.api("getSession");
    expect(body.account).toMatchObject({ email: "ada@example.com", name: "Ada", plan: "free" });
    expect(body.session).toMatchObject({ browser: "Firefox on Linux", current: true });
    const second = await signIn(service, { email: "ada@example.com" });
    expect(second.accountId).toBe(first.accountId);
    const other = await signIn(service, { email: "grace@example.com" });
    expect(other.accountId).not.toBe(first.accountId);
    expect(service.faults).toEqual([]);
  });
});
