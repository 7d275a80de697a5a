import type { FrameLocator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { createImageSource } from "../../../server/src/adapters/pictures/picture-sources.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { visitsOfTests } from "./start-visits.ts";

/** Of an image at another site, which no test reaches. */
const address = "https://pictures.example/me.png";

/** A PNG of a size and color, as the browser draws it. */
const drawn = (page: Page, [width, height]: readonly [number, number], color: string): Promise<string> =>
  page.evaluate(
    ([across, down, fill]) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: across, height: down });
      const context = canvas.getContext("2d")!;
      context.fillStyle = fill;
      context.fillRect(0, 0, across, down);
      return canvas.toDataURL("image/png").replace(/^.*,/, "");
    },
    [width, height, color] as const,
  );

describeInBrowser("images of the bio page's editor in a browser", () => {
  const real = createImageSource();
  const visits = visitsOfTests({
    transcriber: null,
    imageAt: async (url, signal) => (url === address && elsewhere ? elsewhere : real.fetch(url, signal)),
  });
  let elsewhere: Buffer | undefined;
  let people = 0;
  /** Somebody new, also when a test is tried again. */
  const openNew = async () => {
    people += 1;
    const handle = `images.of.${people}`;
    const visitor = await visits.openAs(`${handle}@example.com`, "/app/bio?tab=profile");
    return { ...visitor, handle, field: visitor.page.locator(".image-field").first() };
  };

  const preview = (page: Page): FrameLocator => page.frameLocator("iframe[data-ready]");
  const publish = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByText(/^Published/).waitFor();
  };

  test("takes a file that is dropped on a field, and one that is none with a clear message", async () => {
    const { page, person, field, expectRefusals } = await openNew();
    expectRefusals(415);
    await field.waitFor();
    const drop = async (name: string, type: string, base64: string): Promise<void> => {
      const dataTransfer = await page.evaluateHandle(
        ([fileName, fileType, content]) => {
          const carried = new DataTransfer();
          const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
          carried.items.add(new File([bytes], fileName, { type: fileType }));
          return carried;
        },
        [name, type, base64] as const,
      );
      await field.dispatchEvent("dragover", { dataTransfer });
      await page.locator(".image-field.over").waitFor();
      await field.dispatchEvent("drop", { dataTransfer });
      await page.locator(".image-field.over").waitFor({ state: "detached" });
    };
    await drop("me.png", "image/png", await drawn(page, [400, 500], "#c02020"));
    const dialog = page.getByRole("dialog", { name: "Crop the image" });
    await dialog.getByRole("button", { name: "Use image" }).click();
    await preview(page).locator("picture img").waitFor();
    await publish(page);
    const { avatarUrl } = (await person.api("getMyBioPage")).body;
    expect(avatarUrl).toMatch(/\/media\/images\/[\w-]{22}\.webp$/);

    await drop("me.png", "image/png", Buffer.from("no image at all").toString("base64"));
    await page.getByText("This is not an image in").waitFor();
    await preview(page).locator("picture img").waitFor();
  });

  test("takes an image that is pasted", async () => {
    const { page, person, field } = await openNew();
    await field.waitFor();
    const base64 = await drawn(page, [400, 500], "#2020c0");
    await page.evaluate(async (content) => {
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      await navigator.clipboard.write([new ClipboardItem({ "image/png": new Blob([bytes], { type: "image/png" }) })]);
    }, base64);
    await field.getByRole("textbox").focus();
    await page.keyboard.press("ControlOrMeta+V");
    await page.getByRole("dialog", { name: "Crop the image" }).getByRole("button", { name: "Use image" }).click();
    await preview(page).locator("picture img").waitFor();
    await publish(page);
    expect((await person.api("getMyBioPage")).body.avatarUrl).toMatch(/\/media\/images\/[\w-]{22}\.webp$/);
  });

  test("takes an image by its address, keeps it itself, and fetches nothing from our own network", async () => {
    const { page, person, context, field, handle, expectRefusals } = await openNew();
    expectRefusals(400);
    const asked: string[] = [];
    context.on("request", (request) => asked.push(new URL(request.url()).hostname));
    await field.waitFor();
    elsewhere = Buffer.from(await drawn(page, [400, 500], "#20c020"), "base64");
    const input = field.getByRole("textbox");
    await input.fill("https://10.0.0.1/me.png");
    await input.press("Enter");
    await page.getByText("nothing on the public web answers at this address, or too slowly.").waitFor();
    await input.fill(address);
    await input.press("Enter");
    await preview(page).locator("picture img").waitFor();
    await publish(page);
    const { avatarUrl } = (await person.api("getMyBioPage")).body;
    expect(new URL(avatarUrl).origin).toBe(visits.service.url);
    await person.api("claimBioHandle", { handle });
    await page.goto(`${visits.service.url}/@${handle}`);
    const shown = page.locator(".portrait img");
    await expect
      .poll(() =>
        shown.evaluate(async (image: HTMLImageElement) => {
          await image.decode();
          return image.naturalWidth / image.naturalHeight;
        }),
      )
      .toBe(400 / 500);
    expect(new Set(asked)).toEqual(new Set([new URL(visits.service.url).hostname]));
  });
});
