/** Classes, courses, homework and exams are found by how their names may be read, as students are (0026). */
const named = [
  ['class', 'name'],
  ['course', 'title'],
  ['homework', 'name'],
  ['exam', 'name'],
] as const;

const columns = named.map(([table]) => `alter table ${table} add column pinyin text not null default '';`).join('\n');
const filled = named.map(([table, name]) => `update ${table} set pinyin = name_pinyin(${name});`).join('\n');

const sqlite = `
${columns}
${filled}
${named
  .map(
    ([table, name]) => `create trigger ${table}_pinyin_insert after insert on ${table} begin
  update ${table} set pinyin = name_pinyin(new.${name}) where id = new.id;
end;
create trigger ${table}_pinyin_update after update of ${name} on ${table} begin
  update ${table} set pinyin = name_pinyin(new.${name}) where id = new.id;
end;`,
  )
  .join('\n')}
`;

const postgres = `
${columns}
${filled}
create function keep_name_pinyin() returns trigger language plpgsql as $$
begin
  new.pinyin := name_pinyin(to_jsonb(new) ->> tg_argv[0]);
  return new;
end $$;
${named
  .map(
    ([table, name]) => `create trigger ${table}_pinyin before insert or update of ${name} on ${table}
  for each row execute function keep_name_pinyin('${name}');`,
  )
  .join('\n')}
`;

export const moreNamesBySound = { sqlite, postgres };
