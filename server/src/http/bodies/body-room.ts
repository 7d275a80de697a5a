import type { IncomingMessage } from "node:http";

/** The limits of all bodies that arrive in one room. */
export interface RoomLimits {
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

export type LeaveReason = "tooSlow" | "forOthers";

/** Bodies of strangers that arrive at the same time. */
export interface BodyRoom {
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
export function createBodyRoom(limits: RoomLimits): BodyRoom {
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
