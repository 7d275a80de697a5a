import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { type PlatformStandin, startPlatformStandin, type WallName } from "@reelscript/platform-standin";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { strikeOut } from "../../src/adapters/platforms/instagram/strike-out.ts";
import { operate } from "./run-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

interface Answer {
  readonly hasData: boolean;
  readonly reels: readonly {
    readonly url: string;
    readonly checks: readonly { readonly way: string; readonly status: number | null; readonly came: string }[];
  }[];
}

const testDirectory = directoryOfTests();
let standin: PlatformStandin;
beforeAll(async () => {
  standin = await startPlatformStandin();
});
afterAll(() => standin.close());

const check = (args: readonly string[], environment: Record<string, string> = {}) =>
  operate(["platform", "check", ...args], { directory: testDirectory, environment });
const add = (wall?: WallName) =>
  standin.urlOf(standin.addReel({ bytes: Buffer.from("media"), ...(wall && { wall }) }).code);
const cameOf = ({ checks }: Answer["reels"][number]) => new Set(checks.map(({ came }) => came));

test("prints every route of every reel, and exits with 0 on data", async () => {
  const urls = [add(), add("tooManyRequests")];
  const { code, stdout } = await check([...urls, "--json"]);
  expect(code).toBe(0);
  const { reels, hasData } = JSON.parse(stdout) as Answer;
  expect(hasData).toBe(true);
  expect(reels.map(({ url }) => url)).toEqual(urls);
  expect(cameOf(reels[0]!)).toContain("data");
  expect([...cameOf(reels[1]!)]).toEqual(["wall"]);
  const table = await check(urls.slice(0, 1));
  expect(table.stdout).toMatch(/^WAY +ADDRESS +STATUS +CAME +BYTES +MS$/m);
  expect(table.stdout).toMatch(/^page +direct +200 +data +\d+ +\d+$/m);
});

test("the exit code is 1 when no way gives data", async () => {
  expect(await check([add("tooManyRequests")])).toMatchObject({ code: 1, lastLine: "No way gives data." });
});

test("without a URL it uses the canary's, or the included stand-in's", async () => {
  const url = add();
  expect((await check([], { PLATFORM_CANARY_URL: url })).stdout).toContain(url);
  expect(await check([])).toMatchObject({ code: 0, lastLine: "At least one way gives data." });
});

test("what names no reel is refused", async () => {
  for (const url of ["https://example.com/", "https://www.instagram.com/share/reel/abc/"])
    expect(await check([url])).toMatchObject({ code: 1, stdout: "" });
});

const secret = "SECRETvalue123";
/** Pages, scripts, manifests and addresses showed secrets in these forms. */
const secrets = [
  `"csrf_token":"${secret}"`,
  `\\"csrf_token\\":\\"${secret}\\"`,
  `\\\\\\"csrf_token\\\\\\":\\\\\\"${secret}\\\\\\"`,
  `["LSD",[],{"token":"${secret}"},323]`,
  `["DTSGInitialData",[],{"token":"${secret}:17"},258]`,
  `{"a":"1","e":"","l":"${secret}"}`,
  `<input type="hidden" name="lsd" value="${secret}">`,
  `<input name='jazoest' value='${secret}'>`,
  `https://x.example/v.mp4?_nc_cat=${secret}&oh=${secret}&oe=${secret}&_nc_sid=${secret}`,
  `https:\\/\\/x.example\\/v.mp4?a=1\\u0026oh=${secret}\\u0026oe=${secret}`,
  `https:\\\\/\\\\/x.example?a=1\\\\u0026_nc_ohc=${secret}`,
  `<BaseURL>https://x.example/v.mp4?a=1&amp;oh=${secret}&amp;oe=${secret}</BaseURL>`,
  `v%3Fa%3D1%26oh%3D${secret}%26oe%3D${secret}`,
  `\nset-cookie: mid=${secret}; Path=/\n`,
  `document.cookie="datr=${secret}; ig_did=${secret}"`,
  `"ig_did":"${secret}","device_id":"${secret}","machine_id":"${secret}","nonce":"${secret}"`,
  `"async_get_token":"${secret}"`,
  `"_js_datr":{"value":"${secret}","expiration_for_js":1}`,
  `{"mid":{"value":"${secret}"}}`,
  `csrftoken=${secret}; sessionid=${secret}`,
  `&lsd=${secret}&fb_dtsg=${secret}`,
];

test.each(secrets)("strikes out %j", (text) => {
  expect(strikeOut(`before ${text} after`)).not.toContain(secret);
});

test("strikes out nothing that a reader of the answer needs", () => {
  const output =
    '{"code":"DLlGZiCOBQ0","pk":"123","caption":{"text":"hello"},"taken_at":12,"is_dash_eligible":1,"canonicalRouteName":"comet.igweb.X","efg":"eyJ"}';
  expect(strikeOut(output)).toBe(output);
});

test("saved responses exist for each request, without cookies, tokens or signatures", async () => {
  const server = createServer((_request, response) => {
    response.setHeader("set-cookie", `csrftoken=${secret}; Path=/`);
    response.end(`<html><script id="__eqmc">{"l":"${secret}"}</script>${secrets.join("\n")} the rest</html>`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/reel/DLlGZiCOBQ0/`;
  expect(await check([url, "--save", "answers"])).toMatchObject({ code: 1 });
  const folder = path.join(testDirectory, "answers");
  const files = await readdir(folder);
  expect(files.filter((name) => name.endsWith("-200.txt")).length).toBeGreaterThan(3);
  for (const name of files) {
    const text = await readFile(path.join(folder, name), "utf8");
    expect(text, name).not.toContain(secret);
    if (name.endsWith(".txt")) expect(text, name).toContain("the rest");
  }
});
