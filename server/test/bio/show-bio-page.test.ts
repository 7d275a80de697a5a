import { BioContent } from "@reelscript/contract";
import { expect, test } from "vitest";
import { createShowBioPage } from "../../src/features/bio/show-bio-page.ts";

const from = Date.parse("2026-03-01T12:00:00Z");
const endsAt = new Date(from + 5_000).toISOString();

/** Pages of everybody but `nobody`, whose addresses can be held while they are looked up. */
function thePages() {
  let now = from;
  let revision = 1;
  let change = (): void => undefined;
  let held: Promise<unknown> = Promise.resolve();
  let away = false;
  const lookedUp: string[] = [];
  const drawn: string[] = [];
  const show = createShowBioPage({
    publicBioPages: {
      async resolve(handle) {
        lookedUp.push(handle);
        const address = { kind: "page", bioId: handle, revision } as const;
        await held;
        if (away) throw new Error("away");
        return handle === "nobody" ? { kind: "free" } : address;
      },
      async read(bioId) {
        drawn.push(bioId);
        const links = [{ id: "lnk_1", title: "x", url: "https://example.com/", endsAt }];
        const content = BioContent.parse({ displayName: `Revision ${revision}`, links });
        return { id: bioId, handle: bioId, content, revision, updatedAt: null, takenDownAt: null };
      },
      findLink: () => expect.fail("not asked for"),
    },
    onChange: (listener) => void (change = listener),
    clock: { now: () => new Date(now) },
    baseUrl: () => "https://reelscript.example",
  });
  return {
    lookedUp,
    drawn,
    show: async (handle = "lena") => {
      const response = await show(handle);
      return response.kind === "page" ? /Revision \d/.exec(response.page.html)?.[0] : response.kind;
    },
    setTime: (milliseconds: number) => (now = from + milliseconds),
    publish: () => (revision += 1),
    change: () => change(),
    setAway: (isAway: boolean) => (away = isAway),
    hold: () => {
      let release = (): void => undefined;
      held = new Promise<void>((resolve) => (release = resolve));
      return release;
    },
  };
}

test("a page is looked up each second and drawn only after changes", async () => {
  const { show, setTime, publish, lookedUp, drawn } = thePages();
  for (const time of [0, 999, 1_000, -1]) {
    setTime(time);
    expect(await show()).toBe("Revision 1");
  }
  expect([lookedUp.length, drawn.length]).toEqual([3, 1]);
  publish();
  expect(await show(), "until the second is over").toBe("Revision 1");
  setTime(4_900);
  expect(await show()).toBe("Revision 2");
  expect([lookedUp.length, drawn.length]).toEqual([4, 2]);
  setTime(5_000);
  await show();
  expect([lookedUp.length, drawn.length], "a link ended").toEqual([5, 3]);
});

test("simultaneous requests share a lookup, but none from before a change", async () => {
  const { show, hold, change, publish, lookedUp } = thePages();
  const release = hold();
  const before = [show(), show(), show("ada"), show("nobody"), show("nobody")];
  expect(lookedUp).toEqual(["lena", "ada", "nobody"]);
  publish();
  change();
  const after = [show(), show()];
  expect(lookedUp.slice(3)).toEqual(["lena"]);
  release();
  await Promise.all(before);
  expect(await Promise.all(after)).toEqual(["Revision 2", "Revision 2"]);
  expect(await show()).toBe("Revision 2");
  expect(lookedUp).toHaveLength(4);
});

test("a look-up that fails fails its own callers only", async () => {
  const { show, setAway } = thePages();
  setAway(true);
  await expect(show()).rejects.toThrow("away");
  setAway(false);
  expect(await show()).toBe("Revision 1");
});

test("handles without a page are looked up each time, evicting no page", async () => {
  const { show, lookedUp, drawn } = thePages();
  await show();
  for (let time = 0; time < 600; time += 1) expect(await show("nobody")).toBe("missing");
  await show();
  expect([lookedUp.length, drawn]).toEqual([601, ["lena"]]);
  for (let page = 0; page < 500; page += 1) await show(`page.${page}`);
  await show("page.1");
  await show();
  expect(drawn.slice(-2)).toEqual(["page.499", "lena"]);
});
