import { expect, test } from "vitest";
import { runHere } from "./run-program.ts";

test.each<[string, string[]]>([
  ['unknown command "usgae". Did you mean usage?\n', ["usgae"]],
  ['unknown command "transcibe". Did you mean transcribe?\n', ["help", "transcibe"]],
  ['unknown command "acounts". Did you mean account?\n', ["acounts"]],
  ['unknown command "frobnicate"\n', ["frobnicate"]],
  ["Unknown option '--qurey'. Did you mean --query?\n", ["scripts", "--qurey", "x"]],
  ["Unknown option '--languageHint'. Did you mean --language-hint?\n", ["transcribe", "u", "--languageHint=en"]],
  ["Unknown option '--frobnicate'\n", ["scripts", "--frobnicate"]],
  ['posted, not "Veiws". Did you mean views?\n', ["scripts", "--sort", "Veiws"]],
  ['posted, not "shares"\n', ["scripts", "--sort", "shares"]],
])("a word that isn't known gets the nearest, if one is near: %s", async (message, args) => {
  const { stdout, stderr, code } = await runHere({}, args);
  expect([stdout, code]).toEqual(["", 2]);
  expect(stderr).toContain(message);
});
