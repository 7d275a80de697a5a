import { describe, expect, test } from "vitest";
import { plans } from "@reelscript/contract";
import { serviceOfTests } from "../harness/start-test-service.ts";

describe("pages that anybody may read", () => {
  const service = serviceOfTests({
    transcriber: null,
    operator: { name: "Lena <Bakes> Ltd", address: "1 Oven Street\nLisbon", contact: "mailto:hello@bakes.example" },
  });

  const load = async (path: string) => {
    const response = await fetch(`${service.url}${path}`, { headers: { accept: "text/html" } });
    return { response, text: await response.text() };
  };

  test.each(["/", "/privacy", "/terms"])(
    "%s is small, sets no cookie, runs nothing and loads only our own",
    async (path) => {
      const { response, text } = await load(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(text).not.toMatch(/<script|<iframe|(?:src|href)="(?:https?:)?\/\//);
      const fonts = [...text.matchAll(/url\((\/[^)]+)\)/g)].map(([, address = ""]) => address);
      expect(fonts.length).toBeGreaterThan(0);
      let bytes = Buffer.byteLength(text);
      for (const font of new Set(fonts))
        bytes += (await (await fetch(`${service.url}${font}`)).arrayBuffer()).byteLength;
      expect(bytes).toBeLessThan(100_000);
    },
  );

  test("the home page has the prices in force", async () => {
    const { text } = await load("/");
    for (const { name, dollarsPerMonth } of Object.values(plans)) {
      expect(text).toContain(`<h3>${name}</h3>`);
      expect(text).toContain(`$${dollarsPerMonth} `);
    }
  });

  test.each(["/privacy", "/terms"])("%s names the operator, who may be called anything", async (path) => {
    const { text } = await load(path);
    expect(text).toContain("Lena &lt;Bakes&gt; Ltd");
    expect(text).toContain("1 Oven Street\nLisbon");
    expect(text).toContain('href="mailto:hello@bakes.example"');
  });
});
