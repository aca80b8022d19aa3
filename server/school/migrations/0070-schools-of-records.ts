/**
 * Rows of the large tables say of which school they are: that of what they hang on, when they were made. The database
 * writes it, so that no statement can forget it or say another, nor an older version that still serves. On PostgreSQL ids
 * and what refers to them have 64 bits, as on SQLite.
 */

/** By table, whose school it is, as a query about its row. */
const owners = {
  report: (row: string) => `select school_id from class where class.id = ${row}.class_id`,
  answer: (row: string) => `select school_id from report where report.id = ${row}.report_id`,
  answer_draft: (row: string) => `select school_id from report where report.id = ${row}.report_id`,
  exam_answer: (row: string) => `select school_id from exam_report where exam_report.id = ${row}.report_id`,
  exam_attempt: (row: string) => `select school_id from student where student.id = ${row}.student_id`,
  attendance: (row: string) => `select school_id from class where class.id = ${row}.class_id`,
  study_record: (row: string) => `select school_id from student where student.id = ${row}.student_id`,
  session_student: (row: string) =>
    `select school_id from class join class_session on class_session.class_id = class.id where class_session.id = ${row}.session_id`,
  class_meeting_attendance: (row: string) =>
    `select school_id from class join class_meeting on class_meeting.class_id = class.id where class_meeting.id = ${row}.meeting_id`,
  notice_read: (row: string) =>
    `select school_id from class join class_notice on class_notice.class_id = class.id where class_notice.id = ${row}.notice_id`,
};
const tables = Object.entries(owners);

/** By kind of record, the same of a row of history. What is not here is of no school, or of all of them. */
const ofRecord: Record<string, (id: string) => string> = {
  school: (id) => `select id from school where id = ${id}`,
  ...Object.fromEntries(
    [
      'staff',
      'student',
      'class',
      'large_class',
      'course',
      'room',
      'exam',
      'exam_report',
      'community_group',
      'courseware',
    ]
      .concat(['report', 'answer', 'exam_answer', 'attendance', 'session_student'])
      .map((table) => [table, (id: string) => `select school_id from ${table} where id = ${id}`]),
  ),
  ...Object.fromEntries(
    ['class_student', 'class_group', 'class_session', 'class_notice', 'class_meeting', 'class_ware'].map((table) => [
      table,
      (id: string) => `select school_id from class where id = (select class_id from ${table} where id = ${id})`,
    ]),
  ),
  ...Object.fromEntries(
    ['course_chapter', 'period', 'homework'].map((table) => [
      table,
      (id: string) => `select school_id from course where id = (select course_id from ${table} where id = ${id})`,
    ]),
  ),
  community_post: (id) =>
    `select school_id from community_group where id = (select group_id from community_post where id = ${id})`,
  community_comment: (id) =>
    `select school_id from community_group where id = (select group_id from community_post where id = (select post_id from community_comment where id = ${id}))`,
};

/** Of the rows that are there, kind by kind. */
const filledHistory = Object.entries(ofRecord)
  .map(
    ([record, query]) => `
update history set school_id = (${query('history.record_id')}) where record = '${record}';
update history set school_id = (select school_id from staff where id = history.staff_id)
  where record = '${record}' and school_id is null and staff_id is not null;`,
  )
  .join('');

/** What was deleted already is told by who did it. */
const schoolOfHistory = (row: string) => `
  select coalesce(case ${row}.record
${Object.entries(ofRecord)
  .map(([record, query]) => `    when '${record}' then (${query(`${row}.record_id`)})`)
  .join('\n')}
    end, (select school_id from staff where id = ${row}.staff_id))
  where ${row}.record in (${Object.keys(ofRecord)
    .map((record) => `'${record}'`)
    .join(', ')})`;

/** 0 stands for a moment: the row is being made. */
const sqliteTable = ([table, ownerOf]: (typeof tables)[number]) => `
alter table ${table} add column school_id integer not null default 0;
update ${table} set school_id = (${ownerOf(table)});
create trigger ${table}_school after insert on ${table} when new.school_id = 0 begin
  update ${table} set school_id = (${ownerOf('new')}) where rowid = new.rowid;
end;
`;

const postgresColumn = ([table, ownerOf]: (typeof tables)[number]) => `
alter table ${table} add column school_id integer;
update ${table} set school_id = (${ownerOf(table)});
`;

const postgresTrigger = ([table, ownerOf]: (typeof tables)[number]) => `
alter table ${table} alter column school_id set not null, add foreign key (school_id) references school (id);
create function ${table}_school() returns trigger language plpgsql as $$
begin
  new.school_id := (${ownerOf('new')});
  return new;
end $$;
create trigger ${table}_school before insert on ${table}
  for each row when (new.school_id is null) execute function ${table}_school();
`;

/** Of PostgreSQL's search of questions, whose functions pack ids into places of 31 bits. */
const packed = "'question', 'question_search', 'knowledge_point'";

export const schoolsOfRecords = {
  sqlite: `
${tables.map(sqliteTable).join('')}
-- It refers to nothing: what was done to a school that is taken back stays told.
alter table history add column school_id integer;
drop trigger history_no_update;
${filledHistory}
create trigger history_no_update before update of id, at, staff_id, record, record_id, action, before, after on history
when not (new.before is null and new.after is null
  and new.id is old.id and new.at is old.at and new.staff_id is old.staff_id
  and new.record is old.record and new.record_id is old.record_id and new.action is old.action
  and exists (select 1 from erased_history where erased_history.history_id = old.id)) begin
  select raise(abort, 'history is append-only');
end;
create trigger history_school_once before update of school_id on history when old.school_id is not null begin
  select raise(abort, 'history is append-only');
end;
create trigger history_school after insert on history when new.school_id is null begin
  update history set school_id = (${schoolOfHistory('new')}) where id = new.id;
end;
`,
  postgres: `
${tables.map(postgresColumn).join('')}
-- As on SQLite, it refers to nothing.
alter table history add column school_id integer;
alter table history disable trigger history_append_only;
${filledHistory}
alter table history enable trigger history_append_only;
-- Each table is written anew once, which also takes the room back that filling it has cost.
do $$
declare
  one record;
begin
  for one in
    select c.oid::regclass as name, string_agg(format('alter column %I type bigint', a.attname), ', ') as changes
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid = 'integer'::regtype
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relname not in (${packed})
      and (a.attname = 'id' or a.attname like '%\\_id'
        or exists (select 1 from pg_constraint f where f.contype = 'f' and f.conrelid = c.oid and a.attnum = any (f.conkey)))
    group by c.oid
  loop
    execute format('alter table %s %s', one.name, one.changes);
  end loop;
end $$;
${tables.map(postgresTrigger).join('')}
create function history_school() returns trigger language plpgsql as $$
begin
  case new.record
${Object.entries(ofRecord)
  .map(([record, query]) => `    when '${record}' then new.school_id := (${query('new.record_id')});`)
  .join('\n')}
    else return new;
  end case;
  if new.school_id is null then
    new.school_id := (select school_id from staff where id = new.staff_id);
  end if;
  return new;
end $$;
create trigger history_school before insert on history
  for each row when (new.school_id is null) execute function history_school();
`,
};
