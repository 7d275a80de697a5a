import { rememberedRequests } from "@reelscript/contract";
import type { KeyRequest, KeyRequests } from "../../ports.ts";
import type { Engine } from "./engine.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";

/** In the order of the keys, so that processes never wait for one another in a circle. */
const addRequests: Statement = {
  name: "add-key-requests",
  text: `
    insert into key_request as kept (key_id, requests)
    select live.id, added.requests
    from (select id from api_key where id = any ($1::text[]) order by id for key share) as live
    join unnest($1::text[], $2::json[]) as added (id, requests) on added.id = live.id,
      set_config('synchronous_commit', 'off', true)
    order by live.id
    on conflict (key_id) do update set requests = (
      select json_agg(newest.request order by newest.number)
      from (
        select request, row_number() over (order by request->>'at' collate "C" desc, age, place) as number
        from (
          select request, 1 as age, place from json_array_elements(excluded.requests) with ordinality as a (request, place)
          union all
          select request, 2 as age, place from json_array_elements(kept.requests) with ordinality as b (request, place)
        ) as every
      ) as newest
      where newest.number <= $3::integer
    )`,
};

const listRequests: Statement = {
  name: "list-key-requests",
  text: "select requests from key_request where key_id = $1",
};

type KeptRequest = Omit<KeyRequest, "at"> & { readonly at: string };

export const createKeyRequests = ({ pool, flushSoon }: Pick<Engine, "pool" | "flushSoon">): KeyRequests => ({
  async add(requests) {
    if (requests.size === 0) return;
    const newest = (ofKey: readonly KeyRequest[]) =>
      ofKey.toSorted((one, other) => other.at.getTime() - one.at.getTime()).slice(0, rememberedRequests);
    await rowsOf(pool, addRequests, [
      [...requests.keys()],
      [...requests.values()].map((ofKey) => JSON.stringify(newest(ofKey))),
      rememberedRequests,
    ]);
    flushSoon();
  },
  async list(keyId) {
    const [row] = await rowsOf<{ requests: KeptRequest[] }>(pool, listRequests, [storable(keyId)]);
    return (row?.requests ?? []).map((request) => ({ ...request, at: new Date(request.at) }));
  },
});
