/**
 * How the names of students may be read, so that `ql` and `qianlin` find 钱霖. Triggers keep it, whoever writes a name:
 * on SQLite by a function of ours (server/platform/db/sqlite.ts), on PostgreSQL by a table of readings.
 */
import { allReadings } from '#server/platform/text/pinyin.ts';

const column = "alter table student add column pinyin text not null default '';";

const sqlite = `
${column}
update student set pinyin = name_pinyin(nickname);
create trigger student_pinyin_insert after insert on student begin
  update student set pinyin = name_pinyin(new.nickname) where id = new.id;
end;
create trigger student_pinyin_update after update of nickname on student begin
  update student set pinyin = name_pinyin(new.nickname) where id = new.id;
end;
`;

const postgres = () => `
${column}
create table pinyin_reading (character text primary key, readings text not null);
insert into pinyin_reading values ${allReadings()
  .map(([character, readings]) => `('${character}','${readings}')`)
  .join(',')};
create function name_pinyin(name text) returns text language sql stable as $$
  select coalesce(string_agg(coalesce(pinyin_reading.readings, replace(one, ' ', '_')), ' ' order by place), '')
  from unnest(string_to_array(lower(name), null)) with ordinality as characters (one, place)
  left join pinyin_reading on pinyin_reading.character = one
$$;
update student set pinyin = name_pinyin(nickname);
create function keep_student_pinyin() returns trigger language plpgsql as $$
begin
  new.pinyin := name_pinyin(new.nickname);
  return new;
end $$;
create trigger student_pinyin before insert or update of nickname on student
  for each row execute function keep_student_pinyin();
`;

export const namesBySound = {
  sqlite,
  /** Made where it is run: the readings are loaded for it. */
  get postgres() {
    return postgres();
  },
};
