import { bioHandleLimits } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { rest } from "../harness/rest.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

async function aPerson() {
  const person = await signInNew(service);
  return { person, claim: (handle: unknown) => person.api("claimBioHandle", { handle }) };
}

describe("the handle of a bio page", () => {
  test("is the page's address at once, may be changed, and is given up with null", async () => {
    const ana = await aPerson();
    expect(await ana.claim("Ana.Coffee")).toMatchObject({
      status: 200,
      body: { handle: "ana.coffee", url: `${service.url}/@ana.coffee`, revision: 0 },
    });
    expect((await ana.person.api("getMyBioPage")).body).toMatchObject({ handle: "ana.coffee" });
    expect((await ana.claim("ana_tea2")).body).toMatchObject({ handle: "ana_tea2" });
    expect((await ana.claim(null)).body).toMatchObject({ handle: null, url: null });
  });

  test("is taken while another has it in any writing, and for 90 days after", async () => {
    const [ana, bea] = [await aPerson(), await aPerson()];
    await ana.claim("one.of.us");
    const taken = {
      status: 400,
      headers: expect.anything(),
      body: { error: { code: "invalidRequest", message: "`handle`: one.of.us is taken. Choose another one." } },
    };
    expect(await bea.claim("ONE.of.us")).toEqual(taken);
    await ana.claim(null);
    expect(await bea.claim("one.of.us")).toEqual(taken);
    expect((await ana.claim("one.of.us")).status).toBe(200);
  });

  test.each([
    "admin",
    "API",
    "reelscript",
    "reel.script",
    "l_o_g_i_n",
    "support",
    "docs",
    "adm1n",
    "supp0rt",
    "reeiscript",
    "ree1.5cript",
    "reelscript.help",
  ])("%s is reserved", async (handle) => {
    const { claim } = await aPerson();
    expect(await claim(handle)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("is reserved") } },
    });
  });

  test("of another shape is refused with what is accepted", async () => {
    const { claim } = await aPerson();
    const wrong = [
      "anа.cyrillic",
      "ana\u202Exe",
      "a\u200Bna",
      "ｆｕｌｌ",
      "",
      "ab",
      "a".repeat(31),
      ".ana",
      "ana_",
      "a..b",
      "a._b",
      "ana coffee",
      "anä",
      "@ana",
      "ana/b",
      7,
    ];
    for (const handle of wrong)
      expect(await claim(handle), String(handle)).toMatchObject({
        status: 400,
        body: { error: { code: "invalidRequest", message: expect.stringContaining("`handle`") } },
      });
    expect((await claim("-")).body.error.message).toContain("3 to 30 characters of a to z, 0 to 9, dot and underscore");
    for (const handle of ["a1b", "x".repeat(30), "a.b_c"]) expect((await claim(handle)).status, handle).toBe(200);
  });

  test("that changes too often is told so", async () => {
    const { claim } = await aPerson();
    for (let count = 0; count <= bioHandleLimits.kept; count += 1)
      expect((await claim(`often.${count}`)).status).toBe(200);
    expect((await claim("often.more")).body.error.message).toContain("within 90 days");
    expect((await claim("often.0")).status).toBe(200);
  });

  test("is no matter of keys", async () => {
    const { key } = await service.createCaller();
    expect((await rest(service.url, "/bio/handle", { key, body: { handle: "by.key" } })).status).toBe(404);
  });
});
