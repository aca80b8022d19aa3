/** Large tables, which grow over years, and the indexes added to them later. */
import type { LaterIndexes } from '#server/platform/db/indexes.ts';

/**
 * A migration must not create an index on a large table, except one it creates itself (test/lib/migrations.test.ts).
 */
export const largeTables: readonly string[] = [
  'accepted_request',
  'answer',
  'answer_draft',
  'attendance',
  'class_earlier_stay',
  'class_meeting_attendance',
  'class_student',
  'community_comment',
  'community_like',
  'community_member',
  'community_post',
  'exam_answer',
  'exam_attempt',
  'exam_attempt_answer',
  'exam_report',
  'history',
  'homework_question',
  'homework_reminder',
  'import_row',
  'learner_event',
  'notice_read',
  'question',
  'question_search',
  'report',
  'session_student',
  'sign_in',
  'sms_outbox',
  'student',
  'study_record',
];

export const indexesAddedLater: LaterIndexes = {
  // For sign-ins of learners, who type their student number in either case.
  student_of_folded_number: { table: 'student', on: `(lower(number)) where number <> ''`, engine: 'sqlite' },
  student_of_folded_number_c: {
    table: 'student',
    on: `(lower(number collate "C")) where number <> ''`,
    engine: 'postgres',
  },
  // Memberships with a known future end.
  class_student_leaving: {
    table: 'class_student',
    on: '(leaving_at) where left_at is null and leaving_at is not null',
  },
  // For the copy of all data of one student, and for foreign key checks when a student is deleted.
  class_earlier_stay_student: { table: 'class_earlier_stay', on: '(student_id)' },
  class_meeting_attendance_student: { table: 'class_meeting_attendance', on: '(student_id)' },
  community_comment_student: { table: 'community_comment', on: '(student_id)' },
  community_like_student: { table: 'community_like', on: '(student_id)' },
  community_member_student: { table: 'community_member', on: '(student_id)' },
  community_post_student: { table: 'community_post', on: '(student_id)' },
  homework_reminder_learner: { table: 'homework_reminder', on: '(student_id)' },
  sms_outbox_student: { table: 'sms_outbox', on: '(student_id)' },
  // For ranks and pass rates of an exam.
  exam_report_ranked: {
    table: 'exam_report',
    on: '(exam_id, user_score, school_id) where is_effective = 1 and test_status = 3',
  },
  // For a grader's earlier comments on an exam question; answer_comment does the same for homework.
  exam_answer_comment: {
    table: 'exam_answer',
    on: "(question_id, reviewed_by) where review_comment <> ''",
  },
  // For counts of public questions by knowledge point, type or difficulty. On SQLite the table is an index itself.
  question_search_point: {
    table: 'question_search',
    on: '(point_id, ques_type, facility_value) where is_public = 1',
    engine: 'postgres',
  },
  question_search_type: {
    table: 'question_search',
    on: '(ques_type, facility_value) where is_public = 1',
    engine: 'postgres',
  },
};
