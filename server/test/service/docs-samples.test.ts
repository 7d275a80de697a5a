import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { operations } from "@reelscript/contract";
import { expect, test } from "vitest";
import { openApi } from "../../src/http/documents/openapi.ts";
import type { DescribedDocument } from "../../src/http/documents/reference/described-document.ts";
import { referencePage } from "../../src/http/documents/reference/reference-page.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

const readable = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

test("the samples for TypeScript compile by the strictest rules", async () => {
  const page = referencePage(openApi("http://127.0.0.1:8787") as unknown as DescribedDocument, false, "");
  const [setUp = "", ...samples] = Array.from(
    page.matchAll(/<pre class="sample typescript"[^>]*>(.*?)<\/pre>/gs),
    ([, code = ""]) => readable(code),
  );
  expect(samples).toHaveLength(Object.keys(operations).length);
  const folder = directoryOfTest();
  const compile = async (code: string): Promise<string> => {
    await writeFile(path.join(folder, "samples.ts"), code);
    const tsc = path.join(root, "node_modules/.bin/tsc");
    return promisify(execFile)(tsc, ["-p", folder]).then(
      () => "",
      (error: unknown) => (error as { stdout: string }).stdout,
    );
  };
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    typeRoots: [path.join(root, "node_modules/@types")],
    types: ["node"],
    paths: { "@reelscript/client": [path.join(root, "client/dist/index.d.ts")] },
  };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["samples.ts"] }));
  await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
  const all = [setUp, ...samples.map((sample) => `{\n${sample}\nvoid answer;\n}`)].join("\n");
  expect(await compile(all)).toBe("");
  expect(await compile(`${setUp}\nawait client.getUsage({ nonsense: 1 });`)).toContain("samples.ts");
});
