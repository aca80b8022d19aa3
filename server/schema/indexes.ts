/** Large tables, which grow over the years, and indexes that were added to them later. */
import type { LaterIndexes } from '#server/platform/db/indexes.ts';

/**
 * No migration may create an index on one of these tables, unless it creates the table itself
 * (test/lib/migrations.test.ts).
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
  'exam_question',
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
  // For the sign-in of learners, who may type their student number in upper or lower case.
  student_of_folded_number: { table: 'student', on: `(lower(number)) where number <> ''`, engine: 'sqlite' },
  student_of_folded_number_c: {
    table: 'student',
    on: `(lower(number collate "C")) where number <> ''`,
    engine: 'postgres',
  },
  // For memberships whose end is planned.
  class_student_leaving: {
    table: 'class_student',
    on: '(leaving_at) where left_at is null and leaving_at is not null',
  },
  // For copying all data of one student, and for checking foreign keys when a student is deleted.
  class_earlier_stay_student: { table: 'class_earlier_stay', on: '(student_id)' },
  class_meeting_attendance_student: { table: 'class_meeting_attendance', on: '(student_id)' },
  community_comment_student: { table: 'community_comment', on: '(student_id)' },
  community_like_student: { table: 'community_like', on: '(student_id)' },
  community_member_student: { table: 'community_member', on: '(student_id)' },
  community_post_student: { table: 'community_post', on: '(student_id)' },
  // For the uses of a question of the bank.
  exam_question_source: { table: 'exam_question', on: '(source_id) where source_id is not null' },
  homework_question_source: { table: 'homework_question', on: '(source_id) where source_id is not null' },
  homework_reminder_learner: { table: 'homework_reminder', on: '(student_id)' },
  sms_outbox_student: { table: 'sms_outbox', on: '(student_id)' },
  // For ranks and pass rates of an exam.
  exam_report_ranked: {
    table: 'exam_report',
    on: '(exam_id, user_score, school_id) where is_effective = 1 and test_status = 3',
  },
  // For the comments that a grader has already written on a question of an exam; answer_comment serves homework.
  exam_answer_comment: {
    table: 'exam_answer',
    on: "(question_id, reviewed_by) where review_comment <> ''",
  },
  // For counting public questions by knowledge point, type or difficulty. On SQLite the table itself is an index.
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
  // For choosing questions of a bank at random.
  question_drawn_own: { table: 'question', on: '(owner_id, parent_id, ques_type, facility_value, point_id, id)' },
  question_drawn_public: {
    table: 'question',
    on: '(parent_id, ques_type, facility_value, point_id, id) where is_public = 1',
  },
};
