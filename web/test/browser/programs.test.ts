import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRawProgram } from "../../../server/test/harness/raw-program.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { expectFit } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

describeInBrowser("programs in a browser", () => {
  const visits = visitsOfTests();
  let callback: Server;
  beforeAll(async () => {
    callback = createServer((_request, response) => response.setHeader("content-type", "text/html").end("<p>Thanks"));
    await once(callback.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(() => void callback?.close());

  test("are allowed on a page stating their rights, and listed until disconnected", async () => {
    const { page } = await visits.openAs("connects@example.com");
    const program = await createRawProgram(visits.service.url);
    const address = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
    await page.goto(program.authorizeUrl({ redirect_uri: address }));
    await page.getByRole("heading", { name: "Connect Raw?" }).waitFor();
    await page.getByText("Raw on this computer asks to use Reelscript").waitFor();
    await expectFit(page, "connect-program");
    await page.getByRole("radio", { name: /Transcribe reels/ }).check();
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await page.getByText("Thanks").waitFor();
    const code = new URL(page.url()).searchParams.get("code") ?? "";
    expect(await program.redeem(code, { redirect_uri: address })).toMatchObject({ status: 200 });

    await page.goto(`${visits.service.url}/app/settings/keys`);
    const programs = page.getByRole("list", { name: "Connected programs" });
    await programs.getByText("this computer").waitFor();
    await expectFit(page, "connected-programs");
    await programs.getByRole("button", { name: "Disconnect Raw" }).click();
    await programs.waitFor({ state: "detached" });
  });
});
