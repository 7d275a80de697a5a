import { OwnFile } from "@reelscript/contract";
import type { OutputOf, ToolShape } from "./tool-shape.ts";

type AnsweredFile = Pick<OwnFile, "id" | "mostTranscriptions" | "keepDays" | "expiresAt" | "uploadUrl" | "command">;

/** What isn't known or the agent said itself is left out. */
export const uploadFile: ToolShape<OutputOf<"createFile">, object, AnsweredFile> = {
  answer: {
    schema: OwnFile.pick({
      id: true,
      mostTranscriptions: true,
      keepDays: true,
      expiresAt: true,
      uploadUrl: true,
      command: true,
    }),
    from: ({ id, mostTranscriptions, keepDays, expiresAt, uploadUrl, command }) => ({
      id,
      mostTranscriptions,
      keepDays,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(uploadUrl !== undefined && { uploadUrl }),
      ...(command !== undefined && { command }),
    }),
  },
};
