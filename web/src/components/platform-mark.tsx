import { type LinkGrammar, readAddress, socialPlatforms } from "@reelscript/contract/values";

export const platformOf = (url: string): LinkGrammar | undefined => readAddress(url)?.grammar;

/** Renders nothing for a reel of a stand-in. In its own file, because what every page shows doesn't need the rules of links. */
export function PlatformMark({ url }: { readonly url: string }) {
  const link = platformOf(url);
  if (link === undefined) return null;
  const { name, drawing } = socialPlatforms[link.platform];
  return (
    <span className="platform-mark">
      <svg className="icon small" viewBox="0 0 24 24" aria-hidden="true">
        <path d={drawing} />
      </svg>
      {name}
    </span>
  );
}
