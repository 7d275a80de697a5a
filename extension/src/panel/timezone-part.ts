import { element, paragraph } from "../interface/element.ts";
import { keepTimezone, readTimezone } from "../service/pending-reports.ts";

/** Asks for the time zone of a profile's audience, which its reports use for posting times. */
export async function createTimezonePart(handle: string) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const selectedZone = (await readTimezone(handle)) ?? timeZone;
  const names = new Set([timeZone, selectedZone, "UTC", ...Intl.supportedValuesOf("timeZone")]);
  const select = element(
    "select",
    { class: "input", id: "timezone", "aria-describedby": "timezone-hint", onChange: keep },
    ...[...names]
      .toSorted()
      .map((name) => element("option", { value: name, selected: name === selectedZone }, name.replaceAll("_", " "))),
  );
  function keep(): void {
    void keepTimezone(handle, select.value);
  }
  const hint = paragraph("Posting times are told in it. It is kept for this profile.", "hint");
  hint.id = "timezone-hint";
  const node = element(
    "div",
    { class: "field" },
    element("label", { for: "timezone" }, "Audience’s time zone"),
    select,
    hint,
  );
  return { node, value: () => select.value };
}
