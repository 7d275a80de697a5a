/** The stand-in of the platform as a process sees it that reaches it by a door of its own. */
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
