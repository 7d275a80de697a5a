import { expect, test, vi } from "vitest";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { aPayer, press } from "./payer.ts";

const service = serviceOfTests({ transcriber: null, rateLimits: { default: 1_000 } });

test("a subscription of an account that was never here belongs to somebody else's service and goes on", async () => {
  const { biller, url } = service;
  const page = await biller.startCheckout({
    accountId: "acc_0fAnotherService",
    email: "somebody@example.com",
    customerId: null,
    plan: "creator",
    successUrl: `${url}/app/usage`,
    cancelUrl: `${url}/app/usage`,
  });
  const read = vi.spyOn(biller, "readSubscription");
  const cancel = vi.spyOn(biller, "cancel");
  await press(page, "pay");
  const [id] = read.mock.calls[0] ?? expect.fail("nothing was read");
  expect(cancel).not.toHaveBeenCalled();
  expect(await biller.readSubscription(id)).toMatchObject({ status: "active" });
  vi.restoreAllMocks();
});

test("a new subscription that is paid by the credit of a former one begins a period", async () => {
  const payer = await aPayer(service);
  await payer.use(2);
  await payer.pay("creator");
  await payer.manage("hobby");
  await payer.manage("cancel-now");
  service.clock.advance(1_000);
  expect(await payer.usage()).toMatchObject({ plan: "free", used: 2 });
  await payer.pay("hobby");
  expect(await payer.usage()).toMatchObject({ plan: "hobby", used: 0, resetsAt: expect.any(String) });
});
