/** Gives a small school the planner statistics of a large one, so that tests can check query plans quickly. */
import { sql } from 'kysely';
import type { OpenDatabase } from '#server/platform/db/engine.ts';

/**
 * `analyze` of the large demo school (table, index or -, rows, rows of equal keys): 1 million submissions. Generated
 * by: select tbl, coalesce(idx, '-'), stat from sqlite_stat1 where stat not like '0 %' order by 1, 2
 */
const ofLargeSchool = `
answer answer_comment 428350 268 71
answer answer_question 5032003 435 145
answer answer_same 22331 74 16
answer sqlite_autoindex_answer_1 5032003 6 1
attendance attendance_changed 2023211 9499 12
attendance attendance_leave 156349 735 1
attendance attendance_pending 2133 2133 11
attendance attendance_period 2023211 501 52 1 1
attendance attendance_student 2023211 99 99 1 1
attendance sqlite_autoindex_attendance_1 2023211 9499 99 1
class - 826
class class_large 210 10
class_contract - 2641
class_course class_course_course 1668 15 1
class_course sqlite_autoindex_class_course_1 1668 3 1
class_earlier_stay sqlite_autoindex_class_earlier_stay_1 21 1 1 1
class_group class_group_class 612 3
class_group class_group_course 612 10 1
class_group_staff class_group_staff_person 613 8 1
class_group_staff sqlite_autoindex_class_group_staff_1 613 1 1
class_meeting class_meeting_class 825 4 1
class_meeting sqlite_autoindex_class_meeting_1 825 1
class_meeting sqlite_autoindex_class_meeting_2 825 1
class_meeting sqlite_autoindex_class_meeting_3 825 1
class_meeting sqlite_autoindex_class_meeting_4 825 1
class_meeting_attendance sqlite_autoindex_class_meeting_attendance_1 52824 76 1
class_notice class_notice_class 5627 27 1 1
class_session class_session_class 24134 40 1
class_session class_session_lecturer 24134 403 1
class_staff class_staff_person 1243 9 9 1
class_staff sqlite_autoindex_class_staff_1 1243 2 1 1
class_student class_student_present 24157 30
class_student class_student_student 24158 1
class_student sqlite_autoindex_class_student_1 24158 30 1
class_ware class_ware_courseware 2580 9
class_ware class_ware_file 2580 9
class_ware sqlite_autoindex_class_ware_1 2580 12 1
classify - 8
communication_record communication_record_session 7543 2 2 1
community_collect community_collect_post 26 1
community_collect sqlite_autoindex_community_collect_1 26 13 1
community_comment community_comment_post 32423 4 1 1
community_comment community_comment_staff 32423 232 4
community_group sqlite_autoindex_community_group_1 228 1
community_like community_like_staff 64724 460 6
community_like sqlite_autoindex_community_like_1 64724 7 6
community_like sqlite_autoindex_community_like_2 64724 7 1
community_member community_member_staff 341 57 7
community_member sqlite_autoindex_community_member_1 341 29 7
community_member sqlite_autoindex_community_member_2 341 29 1
community_post - 10905
community_post community_post_group 10905 49 1 1
community_post community_post_staff 10905 78 1 1
community_report sqlite_autoindex_community_report_1 1 1 1
course course_parent 119 40
course_chapter course_chapter_course 974 9 1
courseware courseware_file 2746 1
courseware courseware_owner 2746 20 1
courseware courseware_school 2746 1373 1
exam exam_creator 214 3
exam exam_of_school 214 107 72
exam_answer exam_answer_question 786635 240 77
exam_answer exam_answer_same 17211 72 10
exam_answer sqlite_autoindex_exam_answer_1 786635 16 1
exam_category - 13
exam_figures sqlite_autoindex_exam_figures_1 213 1 1
exam_question exam_question_exam 3468 17 4 1
exam_question_figures sqlite_autoindex_exam_question_figures_1 3332 1 1
exam_report exam_report_score 50307 240 155 4
exam_report exam_report_student 50307 240 2 1
exam_report exam_report_submitted 50307 240 1
exam_report exam_report_waiting 13969 111 1
exam_school exam_school_school 43 22 1
exam_school sqlite_autoindex_exam_school_1 43 1 1
exam_score sqlite_autoindex_exam_score_1 11435 58 57 1
exam_section exam_section_exam 916 5 1
exam_wrong_option sqlite_autoindex_exam_wrong_option_1 5301 3 3 1
grade - 6
history history_record 1395884 232648 1
homework homework_arrange 208 1
homework homework_course 2305 21
homework homework_creator 2305 17 1
homework homework_period 2305 2
homework_class homework_class_class 11916 38 1
homework_class sqlite_autoindex_homework_class_1 11916 6 1
homework_question homework_question_homework 12450 6 2
knowledge_point knowledge_point_parent 61 3 1
large_class - 23
lesson_ware lesson_ware_courseware 47969 3998
lesson_ware lesson_ware_file 47969 3998
lesson_ware sqlite_autoindex_lesson_ware_1 47969 3 1
period period_course 5581 48 1
period period_course_time 5581 48 1
period period_lecturer 5581 94 18
period period_lecturer_time 5581 94 1
question question_owner 1230586 8790 2
question question_parent 1230586 17 7
question question_point 1230586 31554 15777
question question_public 1230586 615293 2
report report_class 1157515 503 98 48
report report_rank 1157515 503 241 20 1
report report_student_class 1157515 56 56 1 1
report report_waiting 28716 108 1
report sqlite_autoindex_report_1 1157515 503 1
room - 10
school - 2
session_handout session_handout_file 17689 3538
session_student session_student_student 96105 30 1
session_student sqlite_autoindex_session_student_1 96105 5 1
setting sqlite_autoindex_setting_1 2 1
staff sqlite_autoindex_staff_1 141 1
student - 24152
study_record sqlite_autoindex_study_record_1 2348997 113 1
study_record study_record_watched 2348997 113 1 1 1
subject - 4
team_class - 408
ware_classify - 6
ware_file ware_file_age 2746 9
`;

/** Factors by which the statistics of tables grow that are empty in the large demo school. */
const times = { rows: 1000, equalKeys: 30 };

export async function plantLargeSchoolStatistics(database: OpenDatabase): Promise<void> {
  const { db } = database;
  await sql`analyze`.execute(db);
  if (database.engine === 'postgres') {
    // PostgreSQL reads the page count from the file, so this sets the rows per page.
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
  // Makes this connection reload the statistics.
  await sql`analyze sqlite_schema`.execute(db);
}

/** Scales `stat`: the rows, then for each indexed column the rows with equal keys up to it. */
function enlarged(stat: string): string {
  const [rows = 0, ...equal] = stat.split(' ').map(Number);
  const all = rows * times.rows;
  return [all, ...equal.map((count) => (count === 1 ? 1 : Math.min(all, count * times.equalKeys)))].join(' ');
}
