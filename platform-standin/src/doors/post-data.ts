import type { MediaLinks, TrackName } from "../reels/media-links.ts";
import { isShown, type StandinMedia, type StandinOwner, type StandinReel } from "../reels/standin-reel.ts";
import type { Site } from "./site.ts";
import { separateTracks } from "../made-media/separate-tracks.ts";
import { escapeHtml } from "./markup.ts";

/**
 * Lower than any other, so that a reader that takes the lowest bandwidth without checking the codec gets something undecodable.
 */
const unreadableBandwidth = 12_000;

/** Picture and sound as separate files; null if the video can't be separated. */
async function dashManifest(
  reel: StandinReel,
  media: StandinMedia,
  index: number,
  links: MediaLinks,
): Promise<string | null> {
  const tracks = await separateTracks(media);
  if (tracks === undefined) return null;
  const { video, audio } = tracks;
  const rate = (bytes: Buffer) => Math.round((bytes.length * 8) / Math.max(media.seconds, 0.1));
  const representation = (track: TrackName, bandwidth: number, attributes: string) =>
    `<Representation id="${track}" bandwidth="${bandwidth}" ${attributes}>` +
    `<BaseURL>${escapeHtml(links.track(reel, index, track))}</BaseURL></Representation>`;
  const sound = audio && [
    representation("unreadable", unreadableBandwidth, 'codecs="mp4a.40.42" mimeType="audio/mp4"'),
    ...(reel.form === "unreadableSound"
      ? []
      : [representation("audio", rate(audio), 'codecs="mp4a.40.2" mimeType="audio/mp4"')]),
  ];
  const size = `width="${media.width}" height="${media.height}"`;
  const picture = representation("video", rate(video), `codecs="avc1.64001e" mimeType="video/mp4" ${size}`);
  return (
    '<?xml version="1.0" encoding="UTF-8"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" ' +
    `mediaPresentationDuration="PT0H${Math.floor(media.seconds / 60)}M${(media.seconds % 60).toFixed(3)}S">` +
    `<Period><AdaptationSet contentType="video">${picture}</AdaptationSet>` +
    `${sound ? `<AdaptationSet contentType="audio">${sound.join("")}</AdaptationSet>` : ""}</Period></MPD>`
  );
}

type Json = Record<string, unknown>;

const mediaTypes = { photo: 1, video: 2, carousel: 8 };
/** Three names for one file. */
const versionTypes = [101, 102, 103];

const typeOf = (reel: StandinReel): keyof typeof mediaTypes =>
  reel.media.length > 1 ? "carousel" : (reel.media[0]?.type ?? "photo");
const productOf = (reel: StandinReel): string =>
  ({ carousel: "carousel_container", video: "clips", photo: "feed" })[typeOf(reel)];

const userOf = (owner: StandinOwner, links: MediaLinks): Json => ({
  pk: owner.id,
  username: owner.username,
  full_name: owner.fullName,
  is_verified: owner.verified,
  profile_pic_url: links.avatar(owner.username),
  ...(owner.private ? { is_private: true } : {}),
});

/** A post in a list for visitors, without author, date or counts. */
export const listedNode = (reel: StandinReel, links: MediaLinks): Json => ({
  pk: reel.mediaId,
  code: reel.code.slice(0, 11),
  caption: reel.caption === null ? null : { text: reel.caption },
  display_uri: links.poster(reel, 0),
  media_type: mediaTypes[typeOf(reel)],
  product_type: productOf(reel),
});

/** Another post of the account, complete enough to be mistaken for the requested one. */
const neighborNode = (reel: StandinReel, owner: StandinOwner, links: MediaLinks): Json => ({
  ...listedNode(reel, links),
  user: { pk: owner.id, username: owner.username },
  ...(typeOf(reel) === "video" ? { video_versions: versionsOf(links.video(reel, 0)) } : {}),
});

const versionsOf = (url: string): Json[] => versionTypes.map((type) => ({ type, url }));

async function mediumOf(reel: StandinReel, media: StandinMedia, index: number, links: MediaLinks): Promise<Json> {
  const { width, height } = media;
  const poster = links.poster(reel, index);
  const picture = {
    display_uri: poster,
    image_versions2: reel.form === "bare" ? null : { candidates: [{ url: poster, width, height }] },
    original_width: width,
    original_height: height,
    media_type: mediaTypes[media.type],
  };
  if (media.type === "photo") return { ...picture, video_versions: null, has_audio: null };
  const manifest = reel.form === "bare" ? null : await dashManifest(reel, media, index, links);
  return {
    ...picture,
    has_audio: media.hasAudio,
    is_dash_eligible: manifest !== null,
    number_of_qualities: manifest === null ? 0 : 1,
    video_versions: versionsOf(links.video(reel, index)),
    video_dash_manifest: manifest,
  };
}

/** A post as visitors see it, without its number of views. */
export async function shownPost(reel: StandinReel, { links, registry }: Site): Promise<Json> {
  const media = await Promise.all(
    reel.media.map(async (each, index) => {
      const pk = String(BigInt(reel.mediaId) + BigInt(index + 1));
      return { pk, ...(await mediumOf(reel, each, index, links)) };
    }),
  );
  const [first] = media;
  if (!first) throw new Error(`reel ${reel.code} has no media`);
  const carousel = {
    ...first,
    media_type: mediaTypes.carousel,
    has_audio: null,
    video_versions: null,
    video_dash_manifest: null,
    carousel_media: media,
  };
  return {
    user: {
      ...userOf(reel.owner, links),
      polaris_ordered_timeline_connection: {
        edges: registry.neighborsOf(reel).map((neighbor) => ({ node: neighborNode(neighbor, reel.owner, links) })),
      },
    },
    ...(media.length > 1 ? carousel : first),
    pk: reel.mediaId,
    code: reel.code.slice(0, 11),
    product_type: productOf(reel),
    ...(reel.form === "bare" ? {} : { taken_at: reel.takenAt }),
    caption: reel.caption === null ? null : { text: reel.caption },
    like_and_view_counts_disabled: reel.likes === null,
    like_count: reel.likes,
    comment_count: reel.comments,
    coauthor_producers: reel.coauthors.map((owner) => userOf(owner, links)),
    clips_metadata: {
      original_sound_info: reel.music ? null : { original_audio_title: "Original audio" },
      music_info: reel.music
        ? { music_asset_info: { title: reel.music.title, display_artist: reel.music.artist } }
        : null,
    },
  };
}

/** A post as signed-in users see it. */
export const itemForAccount = async (reel: StandinReel, site: Site): Promise<Json> => ({
  ...(await shownPost(reel, site)),
  view_count: reel.views,
  play_count: reel.plays,
  video_duration: reel.media[0]?.seconds ?? null,
});

const gatings = {
  ageGated: {
    gating_type: 3,
    title: "Age-restricted content",
    description: "This content is age-restricted based on your age or account settings.",
  },
  regionGated: {
    gating_type: 3,
    title: "Not available in your region",
    description: "This content isn't available in your region.",
  },
};

/** The response to the post's query, which its page contains, too; undefined if the post is unknown. */
export async function postAnswer(reel: StandinReel | undefined, site: Site): Promise<Json> {
  const extensions = { is_final: true };
  if (!reel || reel.availability === "deleted") return { data: { xig_polaris_media: null }, extensions };
  const typeNames = {
    video: "XIGPolarisVideoMedia",
    photo: "XIGPolarisImageMedia",
    carousel: "XIGPolarisCarouselMedia",
  };
  const { availability } = reel;
  const gating = availability === "ageGated" || availability === "regionGated" ? gatings[availability] : null;
  return {
    data: {
      xig_polaris_media: {
        __typename: typeNames[typeOf(reel)],
        pk: reel.mediaId,
        code: reel.code.slice(0, 11),
        if_not_gated_logged_out: isShown(reel) ? await shownPost(reel, site) : null,
        gating_ruling: gating,
        comments_connection: { edges: [] },
      },
    },
    ...(gating ? { errors: [{ message: "A server error field_exception occured." }] } : {}),
    extensions,
  };
}
