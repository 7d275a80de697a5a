import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { ServiceError, bioLimits } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "../callers/authenticate.ts";
import type { IncomingMedia } from "../run/handler.ts";
import { answerBrokenRequest, refuseForOthers } from "./problems/broken-requests.ts";
import { contentTypeOf, endedEarly, readBytes } from "./read-request.ts";

/** The most that is read of a body where its route says nothing else. */
const usualBytes = 256 * 1_024;
/** A request takes about as much, however small its body is. */
const leastBytes = 16 * 1_024;
/** Media are held in memory until so much of them is stored. */
const mediaBytes = 2_000_000;

/** The biller's events are far smaller. */
export const maxEventBytes = 256 * 1_024;

/**
 * The rooms in which bodies arrive in a process. All but media are in the usual room from their head on, and belong to their network.
 * Events, images and media are also in a room of their own while they are read into memory: by then it is known whose they are.
 */
const roomLimits = {
  /** A phone with a poor connection sends more than 2 kB a second. */
  usual: { mostBytes: 64 * 1_024 * 1_024, mostOfOwner: 64, leastSpeed: 2_000, windowSeconds: 5 },
  events: { mostBytes: 32 * maxEventBytes },
  images: { mostBytes: 4 * bioLimits.imageBytes },
  /** The safe speed brings 200 MB in the time that media have: what has come so far is worth more than the beginning of another. */
  media: { mostBytes: 8 * mediaBytes, leastSpeed: 16_000, windowSeconds: 30, safeSpeed: 222_000 },
} satisfies Record<string, RoomLimits>;

const usualSeconds = 30;
/** Time limit for a whole media body. */
export const mediaSeconds = 15 * 60;
const farewellMilliseconds = 5_000;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Its bodies are media, with times and a room of their own. */
    readonly takesMedia?: boolean;
    /** The most that is read of a body. */
    readonly maxBodyBytes?: number;
  }
}

/** How bodies of requests enter a process. */
export interface Bodies {
  /** Seconds that a request without media may take to arrive. */
  readonly usualSeconds: number;
  /** Ends a request that has not arrived in time, arrives too slowly, or that newer ones need the room of. */
  begin(request: FastifyRequest): void;
  /** The whole body. Throws `invalidRequest` 413 when it is larger than `maxBytes`, and `unavailable` when newer ones need its room. */
  readWhole(request: FastifyRequest, reply: FastifyReply, how: ReadHow): Promise<Buffer>;
  /** Gives handlers the media body of a request; nothing is read until they read. */
  mediaOf(request: FastifyRequest, reply: FastifyReply, types: readonly string[], owner: string): IncomingMedia;
}

interface ReadHow {
  readonly room: "events" | "images";
  readonly maxBytes: number;
  /** Its network, where no account sends it. */
  readonly owner?: string;
}

export function createBodies(settings: {
  /** How long a request may take to arrive, in seconds; 30 unless given. */
  readonly bodySeconds?: number | undefined;
  /** How long a request may stall, in seconds; 5 unless given. */
  readonly stallSeconds?: number | undefined;
}): Bodies {
  const { bodySeconds = usualSeconds, stallSeconds = roomLimits.usual.windowSeconds } = settings;
  const usual = createBodyRoom({ ...roomLimits.usual, windowSeconds: stallSeconds });
  const rooms = {
    events: createBodyRoom(roomLimits.events),
    images: createBodyRoom(roomLimits.images),
    media: createBodyRoom(roomLimits.media),
  };

  return {
    usualSeconds: bodySeconds,
    begin({ raw, headers, ip, routeOptions }) {
      const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
      if (raw.complete || !hasBody) return;
      const giveUp = (): void => {
        // Null once the connection is gone.
        const socket: Socket | null = raw.socket;
        if (!raw.complete && socket !== null)
          answerBrokenRequest(Object.assign(new Error("too slow"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
      };
      const { takesMedia = false, maxBodyBytes = usualBytes } = routeOptions.config;
      const leave = takesMedia
        ? undefined
        : usual.enter({
            request: raw,
            owner: networkOf(ip),
            bytes: Math.min(maxBodyBytes, Math.max(leastBytes, Number(headers["content-length"] ?? maxBodyBytes))),
            onLeave: (reason) => (reason === "tooSlow" ? giveUp() : refuseForOthers(raw.socket)),
          });
      const timer = setTimeout(giveUp, (takesMedia ? mediaSeconds : bodySeconds) * 1_000).unref();
      const stop = (): void => {
        clearTimeout(timer);
        leave?.();
      };
      raw.once("end", stop).once("close", stop);
    },
    readWhole(request, reply, { room, maxBytes, owner = networkOf(request.ip) }) {
      hangUpOnUnread(request, reply);
      const errors = { full: tooMany, forOthers: tooMany, tooSlow: tooMany };
      return readBytes(readIn(rooms[room], request, { owner, bytes: maxBytes, errors }), maxBytes);
    },
    mediaOf(request, reply, types, owner) {
      const length = Number(request.headers["content-length"] ?? Number.NaN);
      hangUpOnUnread(request, reply);
      return {
        length: Number.isSafeInteger(length) ? length : undefined,
        async *bytes() {
          const [type = ""] = contentTypeOf(request.raw).toLowerCase().split(";", 1);
          if (!types.includes(type.trim()))
            throw new ServiceError("invalidRequest", `The content type must be one of ${types.join(", ")}.`, {
              status: 415,
            });
          yield* readIn(rooms.media, request, { owner, bytes: mediaBytes, errors: mediaErrors });
        },
      };
    },
  };
}

type RoomErrors = Readonly<Record<LeaveReason | "full", () => ServiceError>>;

const tooMany = (): ServiceError =>
  new ServiceError("unavailable", "The service is receiving too many requests. Try again in a few seconds.", {
    retryAfter: 5,
  });

const mediaErrors: RoomErrors = {
  full: () => new ServiceError("unavailable", "Too many reels are being sent. Try again shortly.", { retryAfter: 10 }),
  forOthers: () =>
    new ServiceError("unavailable", "The reel arrived too slowly while others were waiting. Try again shortly.", {
      retryAfter: 30,
    }),
  tooSlow: () =>
    new ServiceError(
      "invalidRequest",
      `Fewer than ${roomLimits.media.leastSpeed / 1_000} kB per second arrived for ${roomLimits.media.windowSeconds} seconds, so it was given up.`,
    ),
};

/** The parts of a body as they arrive in a room. Throws `invalidRequest` when it breaks off, and the error of why it has to go. */
async function* readIn(
  room: BodyRoom,
  { raw }: FastifyRequest,
  { owner, bytes, errors }: { readonly owner: string; readonly bytes: number; readonly errors: RoomErrors },
): AsyncGenerator<Uint8Array> {
  let end: (error: ServiceError) => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    end = reject;
  });
  ended.catch(() => undefined);
  const leave = room.enter({ request: raw, owner, bytes, onLeave: (reason) => end(errors[reason]()) });
  if (leave === undefined) throw errors.full();
  try {
    const arriving = (raw as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([arriving.next().catch(endedEarly), ended]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    leave();
  }
}

/** A sender that is answered before its body ends has a few seconds to read the response. */
function hangUpOnUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once("finish", () => {
    if (raw.complete) return;
    setTimeout(() => raw.complete || raw.socket.destroy(), farewellMilliseconds).unref();
  });
}

/** The limits of all bodies that arrive in one room. */
interface RoomLimits {
  /** Bytes of memory of all bodies together. */
  readonly mostBytes: number;
  /** Bodies of one owner. */
  readonly mostOfOwner?: number;
  /** A body must arrive with so many bytes a second, on average over each window; only time in which it is waited for counts. */
  readonly leastSpeed?: number;
  readonly windowSeconds?: number;
  /** A body that arrives with so many bytes a second, or so newly that its speed can't be told, gives its room to nobody. */
  readonly safeSpeed?: number;
}

interface ComingBody {
  readonly request: IncomingMessage;
  /** The account or the network that sends it. */
  readonly owner: string;
  /** Bytes of memory that it may take. */
  readonly bytes: number;
  /** Called at most once, when it has to go. */
  readonly onLeave: (reason: LeaveReason) => void;
}

type LeaveReason = "tooSlow" | "forOthers";

/** Bodies of strangers that arrive at the same time. */
interface BodyRoom {
  /** Gives the function that takes the body out again, or undefined when nobody has to go for it. */
  enter(body: ComingBody): (() => void) | undefined;
}

/** Bytes that arrived in the seconds in which the sender was waited for. */
interface Measure {
  bytes: number;
  seconds: number;
}

interface Member extends ComingBody {
  readonly share: Share;
  /** The connection had read so many bytes at the last look. */
  bytesRead: number;
  before: Measure;
  current: Measure;
}

/** The part of the room that one owner has. */
interface Share {
  count: number;
  bytes: number;
}

/** Sooner nobody's speed can be told. */
const judgedAfterSeconds = 2;

/**
 * The one rule of who has to go. A body that is slower than the least speed goes. When a new body finds no room, one of the
 * owner that takes the most bytes goes, the slowest, and of equals the oldest. So an honest sender, who is done within
 * moments, gets room, and many bodies that never end can't keep it out.
 */
function createBodyRoom(limits: RoomLimits): BodyRoom {
  const { mostBytes, mostOfOwner = Number.POSITIVE_INFINITY, safeSpeed } = limits;
  /** The oldest first. */
  const members = new Set<Member>();
  const shares = new Map<string, Share>();
  let bytesOfAll = 0;
  let timer: NodeJS.Timeout | undefined;

  function leave(member: Member): void {
    if (!members.delete(member)) return;
    const { share, owner, bytes } = member;
    bytesOfAll -= bytes;
    share.bytes -= bytes;
    share.count -= 1;
    if (share.count === 0) shares.delete(owner);
    if (members.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function end(member: Member, reason: LeaveReason): void {
    leave(member);
    member.onLeave(reason);
  }

  /** True once `isFull` is false. */
  function makeRoom(isFull: () => boolean, mayGo: (member: Member) => boolean): boolean {
    if (!isFull()) return true;
    for (const member of members) if (member.request.complete) leave(member);
    while (isFull()) {
      const next = nextToLeave(members, mayGo);
      if (next === undefined) return members.size === 0;
      end(next, "forOthers");
    }
    return true;
  }

  function look(): void {
    for (const member of members)
      if (member.request.complete) leave(member);
      else if (isTooSlow(member, limits)) end(member, "tooSlow");
  }

  const isSafe = (member: Member): boolean => safeSpeed !== undefined && speedOf(member) >= safeSpeed;

  return {
    enter(body) {
      const { owner, bytes, request } = body;
      const isOwnerFull = (): boolean => (shares.get(owner)?.count ?? 0) >= mostOfOwner;
      const hasRoom =
        makeRoom(isOwnerFull, (member) => member.owner === owner && !isSafe(member)) &&
        makeRoom(
          () => bytesOfAll + bytes > mostBytes,
          (member) => !isSafe(member),
        );
      if (!hasRoom) return undefined;
      const share = shares.get(owner) ?? { count: 0, bytes: 0 };
      shares.set(owner, share);
      share.count += 1;
      share.bytes += bytes;
      bytesOfAll += bytes;
      const member: Member = {
        request,
        owner,
        bytes,
        onLeave: body.onLeave,
        share,
        bytesRead: request.socket.bytesRead,
        before: { bytes: 0, seconds: 0 },
        // The first look comes in less than a second.
        current: { bytes: 0, seconds: -1 },
      };
      members.add(member);
      timer ??= setInterval(look, 1_000).unref();
      return () => leave(member);
    },
  };
}

/** Looks at what arrived in the last second. */
function isTooSlow(member: Member, { leastSpeed = 0, windowSeconds = 5 }: RoomLimits): boolean {
  const { request, current } = member;
  const { bytesRead } = request.socket;
  current.bytes += bytesRead - member.bytesRead;
  member.bytesRead = bytesRead;
  // With a full buffer the sender waits for us.
  if (request.readableLength >= request.readableHighWaterMark) return false;
  current.seconds += 1;
  if (current.seconds < windowSeconds) return false;
  member.before = current;
  member.current = { bytes: 0, seconds: 0 };
  return current.bytes < leastSpeed * windowSeconds;
}

/** Bytes a second in this window and the one before it; infinite until it can be told. */
function speedOf({ before, current }: Member): number {
  const seconds = before.seconds + current.seconds;
  return seconds < judgedAfterSeconds ? Number.POSITIVE_INFINITY : (before.bytes + current.bytes) / seconds;
}

/** `members` come the oldest first. */
function nextToLeave(members: Iterable<Member>, mayGo: (member: Member) => boolean): Member | undefined {
  let next: Member | undefined;
  for (const member of members) if (mayGo(member) && (next === undefined || goesBefore(member, next))) next = member;
  return next;
}

function goesBefore(one: Member, other: Member): boolean {
  if (one.share.bytes !== other.share.bytes) return one.share.bytes > other.share.bytes;
  return speedOf(one) < speedOf(other);
}
