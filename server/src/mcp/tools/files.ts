import { OwnFile } from "@reelscript/contract";
import type { OutputOf, ToolShape } from "./tool-shape.ts";

type AnsweredFile = Pick<OwnFile, "id" | "mostTranscriptions" | "keepDays" | "expiresAt" | "uploadUrl" | "command">;

/** Leaves out the fields that the agent gave, and those that a new file doesn't have. */
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
