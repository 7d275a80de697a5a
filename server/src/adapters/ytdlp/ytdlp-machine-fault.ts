import { constants } from "node:os";

const { ENOSPC, EDQUOT, EROFS, EIO, EMFILE, ENFILE, ENOMEM } = constants.errno;
const numbers = Object.entries({ ENOSPC, EDQUOT, EROFS, EIO, EMFILE, ENFILE, ENOMEM });
/** A packed yt-dlp that can't even unpack itself gives no number. */
const full = /No space left on device/i;

/** The fault of this machine that yt-dlp complained about, such as a full disk, in the form of Node's own errors. */
export function ytDlpMachineFault(complaints: string): Error | undefined {
  for (const line of complaints.split("\n").filter((one) => /error/i.test(one))) {
    const number = Number(/\[Errno (\d+)\]/.exec(line)?.[1]);
    const code = numbers.find(([, value]) => value === number)?.[0] ?? (full.test(line) ? "ENOSPC" : undefined);
    if (code !== undefined)
      return Object.assign(new Error(`yt-dlp: ${line.trim().slice(0, 2_000)}`), { code, syscall: "yt-dlp" });
  }
  return undefined;
}
