import { lazyRouteComponent } from "@tanstack/react-router";
import { ApiError } from "../api/api-error.ts";
import { isReachable } from "../api/is-reachable.ts";

/**
 * A page whose program is loaded when it is wanted. Where that program is gone because of a release, the router loads the
 * window again; without a connection that would leave the person with nothing, so then a message says so.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    async () =>
      load().catch(async (error: unknown) => {
        throw (await isReachable())
          ? error
          : new ApiError("unreachable", "Can’t reach Reelscript. Check your connection.");
      }),
    name,
  );
