/** The stand-in of the platform, for a process that reaches it by its own door. */
export async function startPlatformStandin() {
  const { STANDIN_PAGES: origin, STANDIN_MEDIA: mediaOrigin } = process.env;
  return {
    origin,
    mediaOrigin,
    reels: [],
    urlOf: (code: string): string => `${origin}/reel/${code}/`,
    close: async (): Promise<undefined> => undefined,
  };
}
