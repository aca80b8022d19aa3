/**
 * Makes the planner of a small school believe that it serves a large one: its plans, and its faults, are then those of
 * the large school, in the time of the small one.
 */
import { sql } from 'kysely';
import type { OpenDatabase } from '#server/platform/db/engine.ts';

/**
 * What `analyze` says of the large demo school (table, index or -, rows, rows of equal keys): 1 million submissions.
 * Written by: select tbl, coalesce(idx, '-'), stat from sqlite_stat1 order by 1, 2
 */
const ofLargeSchool = `
answer answer_comment 424754 327 78
answer answer_question 5000000 500 160
answer answer_same 32541 228 29
answer sqlite_autoindex_answer_1 5000000 5 1
class - 200
class_course class_course_course 1000 10 1
class_course sqlite_autoindex_class_course_1 1000 5 1
class_staff class_staff_person 600 5 5 1
class_staff sqlite_autoindex_class_staff_1 600 3 1 1
class_student class_student_present 20000 100
class_student class_student_student 20000 1
class_student sqlite_autoindex_class_student_1 20000 100 1
classify - 8
course course_parent 100 100
course_chapter course_chapter_course 800 8 1
grade - 6
history history_record 1099096 549548 1
homework homework_course 2000 20
homework homework_creator 2000 15 1
homework homework_period 2000 2
homework_class homework_class_class 11500 58 1
homework_class sqlite_autoindex_homework_class_1 11500 6 1
homework_question homework_question_homework 10701 6 2
knowledge_point knowledge_point_parent 61 3 1
period period_course 4780 48 1
period period_course_time 4780 48 1
period period_lecturer 4780 80 16
period period_lecturer_time 4780 80 1
question question_owner 182 61 2
question question_parent 182 16 6
question question_point 182 5 3
question question_public 182 91 2
report report_class 1150000 575 100 49
report report_rank 1150000 575 280 21 1
report report_student 1150000 58
report report_waiting 27972 234 1
report sqlite_autoindex_report_1 1150000 575 1
room - 10
school - 2
setting sqlite_autoindex_setting_1 2 1
staff sqlite_autoindex_staff_1 140 1
student - 20000
subject - 4
`;

/** Of a table in which the large demo school has nothing: so many times as large as here. */
const times = { rows: 1000, equalKeys: 30 };

export async function plantLargeSchoolStatistics(database: OpenDatabase): Promise<void> {
  const { db } = database;
  await sql`analyze`.execute(db);
  if (database.engine === 'postgres') {
    // Its planner asks the files how many pages a table has, and these words how many rows stand on one.
    await sql`update pg_class set reltuples = reltuples * ${times.rows}
      where reltuples > 0 and relnamespace = current_schema()::regnamespace`.execute(db);
    return;
  }
  const known = new Map(
    ofLargeSchool.split('\n').map((line) => {
      const [table, index, ...numbers] = line.split(' ');
      return [`${table} ${index}`, numbers.join(' ')];
    }),
  );
  const here = await sql<{ tbl: string; idx: string | null; stat: string }>`select * from sqlite_stat1`.execute(db);
  for (const { tbl, idx, stat } of here.rows) {
    const large = known.get(`${tbl} ${idx ?? '-'}`) ?? enlarged(stat);
    await sql`update sqlite_stat1 set stat = ${large} where tbl = ${tbl} and idx is ${idx}`.execute(db);
  }
  // Read again by this connection.
  await sql`analyze sqlite_schema`.execute(db);
}

/** `rows`, then for each column of the index how many rows have equal keys up to there. */
function enlarged(stat: string): string {
  const [rows = 0, ...equal] = stat.split(' ').map(Number);
  const all = rows * times.rows;
  return [all, ...equal.map((count) => (count === 1 ? 1 : Math.min(all, count * times.equalKeys)))].join(' ');
}
