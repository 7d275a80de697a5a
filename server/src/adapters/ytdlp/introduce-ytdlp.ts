import { describeYtDlp, oldYtDlpDays } from "./describe-ytdlp.ts";

export const repairYtDlp = 'Run "npx reelscript ytdlp install".';

/** What the operator reads about the program at the start; hints are what to do about it. */
export async function introduceYtDlp(
  program: string,
  surroundings: Parameters<typeof describeYtDlp>[1],
  onHint: (hint: string) => void,
): Promise<string> {
  try {
    const { version, ageDays, impersonationTargets } = await describeYtDlp(program, surroundings);
    if (impersonationTargets === 0)
      onHint(`yt-dlp at ${program} can't impersonate a browser, so most reels are hidden from it. ${repairYtDlp}`);
    if (ageDays >= oldYtDlpDays)
      onHint(`yt-dlp ${version} is ${ageDays} days old, and platforms change. Run "npx reelscript ytdlp update".`);
    return `yt-dlp ${version} (${ageDays === 1 ? "1 day" : `${ageDays} days`} old) at ${program}`;
  } catch (error) {
    onHint(`${error instanceof Error ? error.message : String(error)} ${repairYtDlp}`);
    return `yt-dlp at ${program}, which does not work`;
  }
}
