import * as z from "zod";

export const TopReel = z
  .object({
    url: z.url(),
    caption: z.string().optional(),
    views: z.int().min(0).optional(),
    likes: z.int().min(0).optional(),
    comments: z.int().min(0).optional(),
    engagementRate: z
      .number()
      .min(0)
      .optional()
      .meta({ description: "Engagement rate in percent, (likes + comments) / views * 100." }),
    postedAt: z.iso.datetime().optional(),
    durationSeconds: z.number().min(0).optional(),
    multiple: z.number().min(0).optional().meta({
      description: "Views divided by the median of the reel's 12 neighbors in time.",
    }),
    stillGrowing: z
      .boolean()
      .optional()
      .meta({ description: "True if the reel is recent and its counts are still growing." }),
  })
  .meta({ id: "TopReel" });
export type TopReel = z.infer<typeof TopReel>;
