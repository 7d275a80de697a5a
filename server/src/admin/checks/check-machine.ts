import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { publicPlatforms } from "../../adapters/platforms/platforms.ts";
import { describeYtDlp, oldYtDlpDays, repairYtDlp } from "../../adapters/ytdlp/describe-ytdlp.ts";
import { findYtDlp } from "../../adapters/ytdlp/install-ytdlp.ts";
import { findVideoRenderer } from "../../adapters/videos/ffmpeg-renderer.ts";
import { roomOfFiles, roomOfReels, videoAdvice } from "../../rules/machine-needs.ts";
import type { ServicePart } from "../../ports.ts";
import { causeOf, type Check } from "./check.ts";

/** Finds settings that a start would refuse, and variables that nothing reads. */
export const checkSettings: Check = async ({ config, settingProblems }) => {
  const subject = "settings";
  const findings = [
    ...settingProblems.map((text): ServicePart => ({ subject, state: "wrong", text })),
    ...config.unknownSettings.map((name): ServicePart => ({
      subject,
      state: "note",
      text: `${name} isn't a setting. docs/settings.md lists them all.`,
    })),
  ];
  if (findings.length > 0) return findings;
  return [{ subject, state: "ok", text: config.production ? "For production." : "For development." }];
};

export const checkDisk: Check = async ({ config }) => {
  const { dataDirectory, role } = config;
  const subject = "disk";
  const file = path.join(dataDirectory, `check-${randomUUID()}`);
  try {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    await writeFile(file, "x");
    const { bavail, bsize } = await statfs(dataDirectory);
    const free = bavail * bsize;
    const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`;
    const isFree = `${megabytes(free)} are free in ${dataDirectory}`;
    const [reels, files] = role === "api" ? [0, 0] : [roomOfReels(config.maxMediaBytes), roomOfFiles(config)];
    const needs = role === "api" ? "" : `; a reel needs up to ${megabytes(reels)}, and a file ${megabytes(files)}`;
    if (free >= files) return [{ subject, state: "ok", text: `${isFree}${needs}.` }];
    if (free >= reels) {
      const text = `${isFree}, enough for reels. Files of people's own wait for ${megabytes(files)}. Make room, or lower MAX_FILE_BYTES.`;
      return [{ subject, state: "note", text }];
    }
    const text = `${isFree}, and a transcription needs up to ${megabytes(reels)}. Make room, or lower MAX_MEDIA_BYTES.`;
    return [{ subject, state: "wrong", text }];
  } catch (error) {
    return [{ subject, state: "wrong", text: `${causeOf(error)}. Give the service's user write access to DATA_DIR.` }];
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
};

export const checkVideos: Check = async ({ config }) => {
  const subject = "videos";
  if (config.role === "api") return [];
  const renderer = await findVideoRenderer(config);
  if (renderer === undefined) return [{ subject, state: "note", text: videoAdvice }];
  return [{ subject, state: "ok", text: `Made by ${renderer.description}.` }];
};

export const checkYtDlp: Check = async ({ config, clock }) => {
  const { sources, platforms, role, dataDirectory, searchPath = "", ytdlp } = config;
  const subject = "yt-dlp";
  if (role === "api" || !sources.includes("ytdlp")) return [];
  const needing = publicPlatforms.filter(
    (platform) => platforms.some((name) => name === platform.name) && platform.createWays(clock).length === 0,
  );
  try {
    const program = await findYtDlp({ configured: ytdlp.path, dataDirectory, searchPath });
    if (program === undefined && needing.length === 0)
      return [{ subject, state: "note", text: `It isn't installed. ${repairYtDlp}` }];
    if (program === undefined) {
      const labels = needing.map(({ links }) => links.label).join(" and ");
      return [
        { subject, state: "wrong", text: `Reels of ${labels} need it. ${repairYtDlp} Or leave them out of PLATFORMS.` },
      ];
    }
    const { version, ageDays, impersonationTargets } = await describeYtDlp(program, { searchPath, now: clock.now() });
    if (impersonationTargets === 0)
      return [
        { subject, state: "wrong", text: `It lacks curl_cffi, so platforms hide most reels from it. ${repairYtDlp}` },
      ];
    const isOld = ageDays >= oldYtDlpDays;
    const text = `${version}, ${ageDays} days old.${isOld ? ' Run "npx --no-install reelscript ytdlp update".' : ""}`;
    return [{ subject, state: isOld ? "note" : "ok", text }];
  } catch (error) {
    return [{ subject, state: "wrong", text: `${causeOf(error)} ${repairYtDlp}` }];
  }
};
