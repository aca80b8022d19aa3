/**
 * Exams that administrators compose: when they may be taken and how often, and since when they are published. Drafts are
 * deleted, and what is in them, so their ids are never given again (as 0019 and 0020): on SQLite the tables are made anew.
 */
const postgres = `
alter table exam add column start_at $time; -- null: from when it is published
alter table exam add column end_at $time; -- null: without end
alter table exam add column attempts integer not null default 0; -- how often a student may hand in, 0 without limit
alter table exam add column published_at $time; -- null: before such times were kept, or not published
`;

const kept = {
  exam: 'id, name, introduce, type, category_id, limit_time, score, pass_score, ques_num, status, creator_id, school_id, created_at, pinyin',
  exam_section: 'id, exam_id, name, introduce, sort',
  exam_question:
    'id, exam_id, section_id, source_id, parent_id, sort, ques_type, ques_stem, ques_option, right_answer, ques_analysis, facility_value, score, answer_score, points, attachments',
};

const filled = (table: keyof typeof kept) =>
  `insert into ${table} (${kept[table]}) select ${kept[table]} from ${table}_aside;
drop table ${table}_aside;`;

const sqlite = `
pragma defer_foreign_keys = on;

-- Whoever drops a table asks for each row who refers to it.
create index exam_question_part on exam_question (parent_id);
create index exam_question_section on exam_question (section_id);
create table exam_question_aside as select * from exam_question;
drop table exam_question;
create table exam_section_aside as select * from exam_section;
drop table exam_section;
create table exam_aside as select * from exam;
drop table exam;

create table exam (
  id integer primary key autoincrement,
  name text not null,
  introduce text not null default '',
  type integer not null default 1 check (type in (1, 2)), -- 1 a test, 2 a mock exam
  category_id integer references exam_category (id),
  limit_time integer not null default 0, -- seconds, 0 without limit
  score integer not null,
  pass_score integer not null,
  ques_num integer not null default 0, -- questions that carry an answer: of a material question its parts
  status integer not null default 2 check (status in (1, 2)), -- 1 published, 2 not published
  creator_id integer not null references staff (id),
  school_id integer not null references school (id),
  created_at integer not null,
  pinyin text not null default '',
  start_at integer, -- null: from when it is published
  end_at integer, -- null: without end
  attempts integer not null default 0, -- how often a student may hand in, 0 without limit
  published_at integer -- null: before such times were kept, or not published
) strict;
${filled('exam')}
create index exam_creator on exam (creator_id);
create index exam_of_school on exam (school_id, status);
create trigger exam_pinyin_insert after insert on exam begin
  update exam set pinyin = name_pinyin(new.name) where id = new.id;
end;
create trigger exam_pinyin_update after update of name on exam begin
  update exam set pinyin = name_pinyin(new.name) where id = new.id;
end;

create table exam_section (
  id integer primary key autoincrement,
  exam_id integer not null references exam (id),
  name text not null,
  introduce text not null default '',
  sort integer not null
) strict;
${filled('exam_section')}
create index exam_section_exam on exam_section (exam_id, sort);

create table exam_question (
  id integer primary key autoincrement,
  exam_id integer not null references exam (id),
  section_id integer not null references exam_section (id),
  source_id integer, -- where it stood in the bank
  parent_id integer references exam_question (id),
  sort integer not null, -- within its section, or within its material question
  ques_type integer not null check (ques_type between 1 and 7),
  ques_stem text not null,
  ques_option text not null default '[]', -- JSON: [{id, content, is_right: 1 right, 2 wrong, side?: left or right}]
  right_answer text not null default '',
  ques_analysis text not null default '',
  facility_value integer not null default 3,
  score integer not null, -- of a material question the sum of its parts
  answer_score text not null default '', -- of a fill-in question the tenths of each blank, joined by @@
  points text not null default '[]', -- JSON: names of its knowledge points
  attachments text not null default '[]' -- JSON: [{url, name, ext}]
) strict;
${filled('exam_question')}
create index exam_question_exam on exam_question (exam_id, section_id, sort);
`;

export const composedExams = { sqlite, postgres };
