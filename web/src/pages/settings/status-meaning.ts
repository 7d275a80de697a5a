const meanings: Readonly<Record<number, string>> = {
  200: "Done",
  202: "In progress",
  400: "Invalid request",
  401: "No valid key",
  403: "Quota used up",
  404: "Not found",
  405: "Wrong method",
  409: "Already in progress",
  412: "Changed in the meantime",
  413: "Too large",
  415: "Wrong format",
  422: "Can’t be processed",
  429: "Rate limited",
  502: "Platform unreachable",
  503: "Unavailable",
};

/** What an answer's status says, in words. */
export function statusMeaning(status: number): string {
  const known = meanings[status];
  if (known !== undefined) return known;
  if (status >= 500) return "Our error";
  if (status >= 400) return "Refused";
  return "Done";
}

/** ok; warn: passes by itself; bad: does not. */
export function statusKind(status: number): "ok" | "warn" | "bad" {
  if (status < 400) return "ok";
  return status === 409 || status === 429 || status >= 500 ? "warn" : "bad";
}
