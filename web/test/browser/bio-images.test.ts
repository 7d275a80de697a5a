import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createImageSource } from "../../../server/src/adapters/pictures/picture-sources.ts";
import { describeInBrowser } from "./chromium-program.ts";
import { shoot } from "./page-checks.ts";
import { visitsOfTests } from "./start-visits.ts";

/** An image at another site, which no test reaches. */
const address = "https://pictures.example/me.png";

/** A PNG of a size and color, as the browser draws it, in base64. */
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
  let elsewhere: Buffer | undefined;
  const visits = visitsOfTests({
    transcriber: null,
    imageAt: async (url, signal) => (url === address && elsewhere ? elsewhere : real.fetch(url, signal)),
  });

  test("are accepted by file, drop, paste and address, and survive invalid ones", async () => {
    const { page, person, context, expectRefusals } = await visits.openAs("lena@example.com", "/app/bio?tab=profile");
    expectRefusals(400, 415);
    const origins: string[] = [];
    context.on("request", (request) => origins.push(new URL(request.url()).origin));
    await person.api("claimBioHandle", { handle: "portrait.owner" });
    const field = page.locator(".image-field").first();
    const input = field.getByRole("textbox");
    const dialog = page.getByRole("dialog", { name: "Crop the image" });
    const picture = page.frameLocator("iframe[data-ready]").locator("picture img");
    const sizeOf = (image: typeof picture) =>
      image.evaluate(async (element: HTMLImageElement) => {
        await element.decode();
        return [element.naturalWidth, element.naturalHeight];
      });
    let last: string | null = null;
    const expectAnother = async (): Promise<void> => {
      await expect.poll(() => picture.getAttribute("src")).not.toBe(last);
      last = await picture.getAttribute("src");
      expect(last).toMatch(/\/media\/images\/[\w-]{22}-small\.jpg$/);
    };
    const drop = async (base64: string): Promise<void> => {
      const dataTransfer = await page.evaluateHandle((content) => {
        const carried = new DataTransfer();
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
        carried.items.add(new File([bytes], "me.png", { type: "image/png" }));
        return carried;
      }, base64);
      await field.dispatchEvent("dragover", { dataTransfer });
      await page.locator(".image-field.over").waitFor();
      await field.dispatchEvent("drop", { dataTransfer });
      await page.locator(".image-field.over").waitFor({ state: "detached" });
    };

    const buffer = Buffer.from(await drawn(page, [600, 300], "#202020"), "base64");
    await page.locator('input[type="file"]').first().setInputFiles({ name: "me.png", mimeType: "image/png", buffer });
    await dialog.getByLabel("Zoom").fill("2");
    const position = dialog.getByRole("button", { name: "Position of the picture" });
    const shownPart = async () => (await dialog.getByRole("status").innerText()).match(/\d+%/g)!.map(Number.parseFloat);
    const [left = 0, , top = 0] = await shownPart();
    await position.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await expect.poll(async () => (await shownPart())[0]).toBeLessThan(left);
    await expect.poll(async () => (await shownPart())[2]).toBeLessThan(top);
    const box = (await position.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 5, box.y + 5, { steps: 3 });
    await page.mouse.up();
    await expect.poll(async () => (await shownPart())[0]).toBeGreaterThan(left);
    await page.keyboard.press("-");
    await expect.poll(() => dialog.getByLabel("Zoom").inputValue()).toBe("1.75");
    await page.keyboard.press("+");
    await expect.poll(() => dialog.getByLabel("Zoom").inputValue()).toBe("2");
    await shoot(page, "bio-crop");
    await dialog.getByRole("button", { name: "Use image" }).click();
    await expectAnother();
    await expect.poll(() => sizeOf(picture)).toEqual([120, 150]);

    await drop(await drawn(page, [400, 500], "#c02020"));
    await dialog.getByRole("button", { name: "Use image" }).click();
    await expectAnother();

    await page.evaluate(
      async (content) => {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
        await navigator.clipboard.write([new ClipboardItem({ "image/png": new Blob([bytes], { type: "image/png" }) })]);
      },
      await drawn(page, [400, 500], "#2020c0"),
    );
    await input.focus();
    await page.keyboard.press("ControlOrMeta+V");
    await dialog.getByRole("button", { name: "Use image" }).click();
    await expectAnother();

    elsewhere = Buffer.from(await drawn(page, [400, 500], "#20c020"), "base64");
    await input.fill("https://10.0.0.1/me.png");
    await input.press("Enter");
    await page.getByText("nothing on the public web answers at this address, or too slowly.").waitFor();
    await input.fill(address);
    await input.press("Enter");
    await expectAnother();

    await drop(Buffer.from("no image at all").toString("base64"));
    await page.getByText("This is not an image in JPEG, PNG, WebP or AVIF.").waitFor();
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByText(/^Published/).waitFor();
    const { avatarUrl } = (await person.api("getMyBioPage")).body;
    expect(avatarUrl).toBe(`${visits.service.url}${last!.replace("-small.jpg", ".webp")}`);
    await page.goto(`${visits.service.url}/@portrait.owner`);
    const [width = 0, height = 0] = await sizeOf(page.locator(".portrait img"));
    expect(width / height).toBe(400 / 500);
    expect(new Set(origins.filter((origin) => origin !== "null"))).toEqual(new Set([visits.service.url]));
  });
});
