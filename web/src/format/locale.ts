/** The interface has one language, and with it one style of dates and numbers: Nov 21, 2026 and 1,234. */
export const locale = "en-US";
