/**
 * Every threshold of the statistics of reports; docs/decisions/reports.md says where they come from. Durations are in days
 * unless their name says otherwise.
 */

/** Minimum number of reels for any comparison. */
export const fewestReels = 12;
/** Minimum number of reels on each side of a comparison. */
export const fewestToCompare = 5;
/** Views of a younger reel still grow too fast to be compared. */
export const settledHours = 72;
/** Younger reels are marked: on average they still gain a tenth of their views or more. */
export const growingDays = 7;
/** YouTube videos grow for this long; and a decline of views is claimed only for reels this old, on any platform. */
export const slowlyGrowingDays = 60;
/** Minimum time between the first reel and the last for charts by week. */
export const fewestDays = 14;
/** Night, morning, afternoon, evening. */
export const hoursOfBlock = 6;

/**
 * Share of shuffled accounts without a difference this clear. What is found must also hold between the account's own periods
 * and be likely in the next posts, so that fewer shuffled accounts get a claim than the rest to 1.
 */
export const confidence = 0.98;
/** Share of an effect that earlier reports show, whose differences weren't forecast for the next reels. */
export const shownShare = 0.8;
/** In earlier reports, a clear difference with at most this probability under chance is called sure, others fairly sure. */
export const sureChance = 0.01;
/**
 * The end of a claim's interval that is nearer to 1: a claim is that the next reels differ, so its interval doesn't reach 1. How
 * often that holds is for `again` to say.
 */
export const leastRatio = 1.02;
/** A wider interval says nothing: its high end is this many times its low end. */
export const widestInterval = 10;
/** The shown ratio and that of the medians shown with it differ by at most this factor, so that it is below 1.5 once rounded. */
export const mostDisagreement = 1.45;
/** Shares of the next estimates that fall short of the interval's end near 1, and beyond its far end. */
export const fallingShort = 0.1;
export const goingBeyond = 0.01;
/**
 * Minimum probability that a claimed difference shows again in the next reels, and that of a sure one. Levels are forecast too
 * cautiously: where this was 0.6 to 0.78, nine of ten held.
 */
export const leastAgain = 0.78;
export const leastAgainOfLevels = 0.6;
export const sureAgain = 0.92;
/** Minimum share of a difference that each half of the posts shows. */
export const heldShare = 0.3;
/** Differences are followed over periods of at least so many items. */
export const itemsPerPeriod = 12;
export const fewestPeriods = 2;
export const mostPeriods = 6;
/** Variance of an estimate of the next posts, which are two thirds as many, over that of the present one. */
export const furtherPosts = 1.5;
/** Standard deviation of the effects that are nearly nothing, which are most. */
export const nearlyNothing = 0.06;
/** Shares of the reels, the newest, that are compared with all older ones: a level may have changed at any time. */
export const newestShares: readonly number[] = [3 / 4, 2 / 3, 1 / 2, 2 / 5, 1 / 3, 1 / 4, 1 / 5, 1 / 6];
/** Two groups that share more of their reels than this are one finding (Jaccard). */
export const coincidence = 0.8;
/** Share of a difference that must be left beside a clearer one. */
export const leastLeft = 0.5;
/** Minimum share of the reels on each side of a comparison of content: less can't be changed by much. */
export const leastSide = 0.1;

/** A ratio within this range makes no relevant difference. Claims promise 1.6 and less, so it is narrower. */
export const steadyRatio = 1.4;
/** Robust standard deviations at which values are clipped, so that one viral reel makes no difference. */
export const farthest = 2.5;
/** Percent; added so that zero engagement has a logarithm. */
export const leastRate = 0.01;
export const mostShuffles = 999;
/** Reels times shuffles: bounds the work of a large report. */
export const mostShuffled = 400_000;
/** The trend over time has one piece per so many reels. */
export const reelsPerPiece = 27;
export const mostPieces = 8;

/** Standard errors that contain 95 of 100 estimates. */
export const halfInterval = 1.96;
/** Minimum number of values for the interval of a mean. */
export const fewestForMean = 8;
/**
 * Standard errors around a figure of a report: where those of two reports don't overlap they differ by 2.8 to 3.1 standard
 * errors of the difference (one error being up to 3 times the other), which 1 of 20 tables passes by chance where 15 pairs
 * are compared: five figures of four accounts with the highest.
 */
export const marginErrors = 2.2;

/** Minimum number and share of the reels with a topic, and the maximum number of topics, and of series. */
export const fewestOfTopic = 8;
export const leastTopicShare = 0.1;
export const mostTopics = 8;
export const mostSeries = 4;
/** Two topics that share more of their reels than this are one, and the rarer is dropped (Jaccard). */
export const mostAlikeTopics = 0.6;
/** Words read per caption; hashtags come first. */
export const mostTokens = 200;

/** Number of neighbors in time whose median a reel is compared with. */
export const neighbors = 12;
/** Multiple above which a reel is an outlier. */
export const outlierMultiple = 3;
export const listedOutliers = 10;
/** Minimum multiple of an example reel, and the number of example reels. */
export const standingOut = 1.5;
export const namedToStart = 3;
export const listedTopReels = 10;
/** Outliers share a word that more than this share of them has, if chance does this at most so often: captions have many words. */
export const sharedByOutliers = 0.5;
export const sharedByChance = 0.001;

/** Number of newest reels for the forecast's median, and for its range. */
export const reelsForNext = 20;
export const reelsForRange = 30;
/**
 * Share of the reels outside either end of the range: a tenth by itself covers 74 % of next reels on real accounts, since
 * 30 reels know their own ends better than those of the next.
 */
export const outsideRange = 0.085;

/**
 * Share of the reels left out at either end when posting is counted by week, and the minimum number of oldest ones, because
 * platforms pin three.
 */
export const outsideDates = 0.05;
export const mostPinned = 3;
