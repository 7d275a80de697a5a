import { isText } from "../engine/columns.ts";
import { statement, type Queryable } from "../engine/statement.ts";

const readTables = statement(`
  select 'create table ' || c.relname || e' (\\n  ' || array_to_string(array(
    select a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case a.attidentity when 'a' then ' generated always as identity' else '' end
      || case when a.attnotnull and a.attidentity = '' then ' not null' else '' end
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
      || case when a.attstorage = 'e' then ' storage external' else '' end
    from pg_attribute as a left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum
  ) || array(
    select pg_get_constraintdef(oid) from pg_constraint where conrelid = c.oid and contype <> 'n'
    order by position(contype::text in 'pucf'), conname
  ), e',\\n  ') || e'\\n)' || coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '') || e';\\n'
    || array_to_string(array(
      select replace(pg_get_indexdef(i.indexrelid), ' USING btree', '') || e';\\n' from pg_index as i
      where i.indrelid = c.oid and not exists (select from pg_constraint where conindid = i.indexrelid)
      order by i.indexrelid::regclass::text
    ), '')
    || array_to_string(array(
      select pg_get_triggerdef(oid) || e';\\n' from pg_trigger where tgrelid = c.oid and not tgisinternal order by tgname
    ), '') as definition
  from pg_class as c
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by c.relname`).reading({
  definition: isText,
});

const readFunctions = statement(`
  select pg_get_functiondef(oid) || e';\\n' as definition from pg_proc
  where pronamespace = 'public'::regnamespace order by proname, oidvectortypes(proargtypes)`).reading({
  definition: isText,
});

/** All tables with their indexes and triggers, and all functions, as the database describes them. */
export async function readSchema(on: Queryable): Promise<string> {
  const definitions = [...(await readTables.rows(on)), ...(await readFunctions.rows(on))];
  return definitions.map(({ definition }) => definition.replaceAll("public.", "")).join("\n");
}
