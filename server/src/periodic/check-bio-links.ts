import type { BioLinkHealth, PeriodicTask, ProbeLink } from "../ports.ts";

const atATime = 4;

/** Looks at every link of public pages once a day, a few at a time, and never while somebody waits. */
export const checkBioLinks = (
  health: Pick<BioLinkHealth, "due" | "note">,
  probeLink: ProbeLink,
  now: () => Date,
): PeriodicTask => ({
  name: "check-bio-links",
  everySeconds: 10 * 60,
  scope: "service",
  async run(begun, signal) {
    const due = await health.due(begun);
    if (due === "none") return false;
    const left = due.values();
    const work = async (): Promise<void> => {
      for (const { id, url } of left) {
        const state = await probeLink(url, signal);
        if (state !== "unknown") await health.note(id, url, state, now());
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
    return true;
  },
});
