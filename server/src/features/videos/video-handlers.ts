import type { Failure } from "../../ports.ts";
import { describeVideo } from "../../describe/describe-video.ts";
import { noSuchScript, noSuchVideo, orThrow } from "../../rules/refusals.ts";
import type { Handlers } from "../../run/handler.ts";
import { beginVideo, canMakeVideos, type BeginVideoNeeds } from "./begin-video.ts";

interface VideoNeeds extends BeginVideoNeeds {
  readonly baseUrl: () => string;
}

export const videoHandlers = (needs: VideoNeeds) =>
  ({
    createVideo: async ({ input: { scriptId, style, replace }, caller }) => {
      const video = await beginVideo(needs, { accountId: caller.account.id, scriptId, style, replace });
      return describeVideo(video, needs.baseUrl());
    },

    getVideo: async ({ input: { id }, caller }) =>
      describeVideo(orThrow(await needs.videos.find(caller.account.id, id), noSuchVideo), needs.baseUrl()),

    listVideos: async ({ input: { scriptId }, caller }) => {
      const videos = orThrow(await needs.videos.listOfScript(caller.account.id, scriptId), noSuchScript);
      const canMake = await canMakeVideos(needs);
      return {
        canMake,
        ...(!canMake && { advice: needs.advice }),
        videos: videos.map((video) => describeVideo(video, needs.baseUrl())),
      };
    },

    deleteVideo: async ({ input: { id }, caller }) => {
      const video = await needs.videos.delete(caller.account.id, id, deleted, needs.clock.now());
      return describeVideo(orThrow(video, noSuchVideo), needs.baseUrl());
    },
  }) satisfies Partial<Handlers>;

const deleted: Failure = {
  code: "notFound",
  status: 404,
  message: "You deleted the video before it was made.",
};
