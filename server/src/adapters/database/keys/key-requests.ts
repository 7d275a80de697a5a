import { rememberedRequests } from "@reelscript/contract";
import type { KeyRequest, KeyRequests } from "../../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import { isListOf, isNumber, isObjectOf, isOneOf, isText } from "../engine/columns.ts";
import { statement, jsonOf } from "../engine/statement.ts";

const isKeptRequest = isObjectOf({
  at: isText,
  operation: isText,
  door: isOneOf("rest", "mcp"),
  status: isNumber,
});

/** Ordered by key, so that processes never wait for each other in a circle. */
const addRequests = statement(`
  insert into key_request as r (key_id, requests)
  select live.id, added.requests
  from (select id from api_key where id = any (:keyIds::text[]) order by id for key share) as live
  join unnest(:keyIds::text[], :requests::json[]) as added (id, requests) on added.id = live.id,
    set_config('synchronous_commit', 'off', true)
  order by live.id
  on conflict (key_id) do update set requests = (
    select json_agg(newest.request order by newest.number)
    from (
      select request, row_number() over (order by request->>'at' collate "C" desc, age, position) as number
      from (
        select request, 1 as age, position from json_array_elements(excluded.requests) with ordinality as a (request, position)
        union all
        select request, 2 as age, position from json_array_elements(r.requests) with ordinality as b (request, position)
      ) as every
    ) as newest
    where newest.number <= :most::integer
  )`);

const listRequests = statement("select requests from key_request where key_id = :keyId").reading({
  requests: isListOf(isKeptRequest),
});

export const createKeyRequests = ({ pool, flushSoon }: Engine): KeyRequests => ({
  async add(requests) {
    if (requests.size === 0) return;
    const newest = (ofKey: readonly KeyRequest[]) =>
      ofKey.toSorted((one, other) => other.at.getTime() - one.at.getTime()).slice(0, rememberedRequests);
    await addRequests.run(pool, {
      keyIds: [...requests.keys()],
      requests: Array.from(requests.values(), (ofKey) => jsonOf(newest(ofKey))),
      most: rememberedRequests,
    });
    flushSoon();
  },
  async list(keyId) {
    const row = await listRequests.row(pool, { keyId });
    return (row?.requests ?? []).map((request) => ({ ...request, at: new Date(request.at) }));
  },
});
