/** Scripts that are deleted together at most. */
export const mostDeleted = 500;
