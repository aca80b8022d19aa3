/** Which tables grow with the work of years, and the indexes that were added to them since. */
import type { LaterIndexes } from '#server/platform/db/indexes.ts';

/** A migration makes no index on one of them that it has not made itself (test/lib/migrations.test.ts). */
export const largeTables: readonly string[] = [
  'accepted_request',
  'answer',
  'answer_draft',
  'attendance',
  'class_meeting_attendance',
  'class_student',
  'community_comment',
  'community_like',
  'community_post',
  'exam_answer',
  'exam_attempt',
  'exam_attempt_answer',
  'exam_report',
  'history',
  'homework_question',
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

export const laterIndexes: LaterIndexes = {
  // Who leaves on a day that is known.
  class_student_leaving: {
    table: 'class_student',
    on: '(leaving_at) where left_at is null and leaving_at is not null',
  },
};
