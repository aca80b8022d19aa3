/**
 * Names are sought whatever their spaces, widths and capitals. SQLite has `plain_name` from the process
 * (server/platform/db/sqlite.ts); most names are Chinese, and cost no more than lower().
 */
const postgres = `
create function plain_name(name text) returns text language sql immutable parallel safe as $$
  select lower(
    case
      when name ~ '[^!-~\u4e00-\u9fff]'
        then regexp_replace(normalize(name, NFKC), '[\\s\\u00ad\\u200b-\\u200f\\u2060\\ufeff]+', '', 'g')
      else name
    end
  )
$$;
`;

export const plainNames = { sqlite: 'select 1', postgres };
