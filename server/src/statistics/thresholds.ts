/**
 * Every threshold of the statistics of reports; docs/decisions/reports.md says where they come from. Durations are in days
 * unless their name says otherwise.
 */

/** Reels without which nothing is compared. */
export const fewestReels = 12;
/** Reels on each side without which two groups are not compared. */
export const fewestToCompare = 5;
/** Views of a younger reel still grow too fast to be compared. */
export const settledHours = 72;
/** Reels younger than this are marked: on average they still gain a tenth of their views or more. */
export const growingDays = 7;
/** Videos of YouTube grow for so long; and a fall of views is believed only among reels this old, wherever they are. */
export const slowlyGrowingDays = 60;
/** Between the first reel and the last, below which nothing is drawn by week. */
export const fewestDays = 14;
/** Night, morning, afternoon, evening. */
export const hoursOfBlock = 6;

/** A little above 95 %: fitting the course of time makes differences look slightly clearer than they are. */
export const confidence = 0.96;
/** A clear difference that chance shows this rarely is called sure, others fairly sure. */
export const sureChance = 0.01;
/** Share of an effect that is shown: those picked for being large come out smaller on the next reels. */
export const shownShare = 0.8;
/** An interval that ends nearer to 1 than this is no takeaway: it would be shown as touching it. */
export const leastRatio = 1.005;
/** No difference that matters lies within this ratio. */
export const steadyRatio = 1.6;
/** Robust standard deviations beyond which a value pulls no harder: one viral reel makes no difference. */
export const farthest = 3.5;
/** Percent; where nobody engages, a logarithm still needs something. */
export const leastRate = 0.01;
export const mostShuffles = 999;
/** Reels times shuffles: bounds the work of a large report. */
export const mostShuffled = 400_000;
/** One piece of the course over time per so many reels. */
export const reelsPerPiece = 27;
export const mostPieces = 8;

/** Standard errors within which 95 of 100 estimates are. */
export const halfInterval = 1.96;
/** Values without which a mean has no interval. */
export const fewestForMean = 8;
/**
 * Standard errors around a figure of a report: where those of two reports don't overlap they differ by 2.8 to 3.1 standard
 * errors of the difference (one error being up to 3 times the other), which 1 of 20 tables passes by chance where 15 pairs
 * are compared: five figures of four accounts with the highest.
 */
export const marginErrors = 2.2;

/** A topic is in so many reels, and in so large a share of them, and out of as many. */
export const fewestOfTopic = 8;
export const leastTopicShare = 0.1;
export const mostTopics = 8;
/** The rarer one of two topics goes when they share more of their reels than this (Jaccard). */
export const mostAlikeTopics = 0.6;
/** Words of a caption that are looked at; hashtags come first. */
export const mostTokens = 200;

/** Neighbors in time with whose median a reel is compared. */
export const neighbors = 12;
/** Multiple above which a reel is an outlier. */
export const outlierMultiple = 3;
export const listedOutliers = 10;
/** Multiple from which a reel stands out enough to start from, and how many such reels are named. */
export const standingOut = 1.5;
export const namedToStart = 3;
export const listedTopReels = 10;
/** Share of the outliers in which a topic occurs that they share, and how much more often than elsewhere. */
export const sharedByOutliers = 0.5;
export const moreAmongOutliers = 1.5;

/** Newest reels whose median is what the next one typically gets, and among which its range is sought. */
export const reelsForNext = 20;
export const reelsForRange = 30;
/**
 * Share of the reels outside either end of the range: a tenth by itself covers 74 % of next reels on real accounts, since
 * 30 reels know their own ends better than those of the next.
 */
export const outsideRange = 0.085;

/** Share of the reels beyond the dates between which they are counted by week, and the least number of oldest ones: platforms pin three. */
export const outsideDates = 0.05;
export const mostPinned = 3;
