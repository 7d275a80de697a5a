const firstIdAtMilliseconds = 1_314_220_021_721n;

/** When an id of a post was given, which is seconds to hours before the post was shown. */
export const momentOfInstagramId = (id: string): Date => new Date(Number((BigInt(id) >> 23n) + firstIdAtMilliseconds));
