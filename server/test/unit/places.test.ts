import { setMaxListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPlaces } from "../../src/run/admission.ts";

const never = new AbortController().signal;
setMaxListeners(0, never);
const inAMinute = () => ({ signal: never, deadline: performance.now() + 60_000 });

test("whatever calls do, no more than two of a caller work", async () => {
  const places = createPlaces({ atATime: 2, waiting: 1_000 });
  let working = 0;
  let most = 0;
  let ended = 0;
  async function work(turns: number): Promise<void> {
    working += 1;
    most = Math.max(most, working);
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    working -= 1;
  }
  const wait = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  };
  async function call(number: number): Promise<void> {
    const place = await places.enter("one", inAMinute());
    await work(number % 3);
    await place.whileWaiting(() => wait(number % 5));
    await work(1);
    // Parts that wait side by side, and one that fails.
    await Promise.all([1, 2, 3].map((part) => place.whileWaiting(() => wait((number + part) % 4))));
    await work(1);
    await place.whileWaiting(async () => Promise.reject(new Error("away"))).catch(() => undefined);
    await work(1);
    place.leave();
    place.leave();
    ended += 1;
  }
  await Promise.all(Array.from({ length: 200 }, (_, number) => call(number)));
  expect([most, ended, working]).toEqual([2, 200, 0]);
  const first = places.enter("one", inAMinute());
  const second = places.enter("one", inAMinute());
  expect(
    [first, second].map((place) => place instanceof Promise),
    "all places are free again",
  ).toEqual([false, false]);
});

test("a call without a place in time is refused and dequeued", async () => {
  const places = createPlaces({ atATime: 1, waiting: 1 });
  const place = await places.enter("one", inAMinute());
  const late = places.enter("one", { signal: never, deadline: performance.now() });
  await expect(late).rejects.toMatchObject({ code: "rateLimited", reason: "tooManyAtATime", retryAfter: 5 });
  const gone = new AbortController();
  const left = places.enter("one", { ...inAMinute(), signal: gone.signal });
  gone.abort(new Error("hung up"));
  await expect(left).rejects.toThrow("hung up");
  const next = places.enter("one", inAMinute());
  place.leave();
  (await next).leave();
});

test("a call that comes back goes before those that haven't begun", async () => {
  const places = createPlaces({ atATime: 1, waiting: 10 });
  const order: string[] = [];
  const first = await places.enter("one", inAMinute());
  let arrive = (): void => undefined;
  const back = first
    .whileWaiting(() => new Promise<void>((resolve) => (arrive = resolve)))
    .then(() => order.push("back"));
  const second = await places.enter("one", inAMinute());
  const third = Promise.resolve(places.enter("one", inAMinute())).then((place) => {
    order.push("third");
    place.leave();
  });
  arrive();
  await setImmediate();
  second.leave();
  await back;
  first.leave();
  await third;
  expect(order).toEqual(["back", "third"]);
});
