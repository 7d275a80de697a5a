import { expect, test } from "vitest";
import { coalesced } from "../../src/adapters/database/engine/server/coalesced.ts";

test("calls during a send cause one more send, and none is lost", async () => {
  const sending: (() => void)[] = [];
  const sends = coalesced(() => new Promise<void>((resolve) => void sending.push(resolve)), 1);
  const { send } = sends;
  send();
  expect(sending, "the first at once").toHaveLength(1);
  for (let calls = 0; calls < 10; calls += 1) send();
  expect(sending).toHaveLength(1);
  sending[0]!();
  await expect.poll(() => sending).toHaveLength(2);
  send();
  const end = sends.settled();
  sending[1]!();
  await expect.poll(() => sending).toHaveLength(3);
  sending[2]!();
  await end;
  send();
  expect(sending, "a later call is the first again").toHaveLength(4);
});
