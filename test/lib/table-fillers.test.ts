/** By which call of the API each table gets its first row: a school needs no SQL. */
import { expect, it } from 'vitest';
import { describedApi } from '#server/api.ts';
import { openApi } from '#server/platform/calls/describe.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { ownerOf } from '#server/school/table-owners.ts';

type Table = keyof Tables;

/** What fills it, or the call in whose wake it is filled. */
const filledBy: Partial<Record<Table, string>> = {
  setting: 'POST /api/setup/{code}',
  school: 'POST /api/setup/{code}',
  staff: 'POST /api/admin/staff',
  staff_school: 'POST /api/admin/staff',
  sign_in: 'POST /api/auth/login',
  accepted_request: 'POST /api/lector/hw/publish',
  history: 'POST /api/admin/staff',
  export_file: 'POST /api/lector/test/export',
  sms_outbox: 'POST /api/lector/teacherSchedule/leave/{id}',
  question: 'POST /api/lector/ques/add',
  question_bank: 'POST /api/lector/ques/add',
  question_search: 'POST /api/lector/ques/add',
  question_collect: 'POST /api/app/collect',
  question_correction: 'POST /api/app/myExam/correction',
  question_import: 'POST /api/lector/ques/importing',
  question_import_row: 'POST /api/lector/ques/importing',
  homework: 'POST /api/lector/hw/publish',
  homework_class: 'POST /api/lector/hw/publish',
  homework_question: 'POST /api/lector/hw/publish',
  homework_scope: 'POST /api/lector/hw/publish',
  homework_draft: 'POST /api/lector/hw/draft',
  report: 'POST /api/lector/hw/publish',
  answer: 'POST /api/app/homework/{hwId}/submission',
  homework_reminder: 'POST /api/lector/homework/reminder/{hwId}',
  grading_batch: 'POST /api/lector/hw/review/storeSame',
  grading_batch_answer: 'POST /api/lector/hw/review/storeSame',
  pinned_comment: 'PUT /api/lector/hw/review/pinned',
  ware_file: 'POST /api/lector/courseWare/upload',
  courseware: 'POST /api/lector/courseWare/upload',
  lesson_ware: 'POST /api/lector/courseWare',
  class_ware: 'POST /api/lector/stateschoolcourseware',
  session_student: 'POST /api/assistants/teamClass/classTime/rollcall/{id}',
  session_handout: 'POST /api/lector/teacherSchedule/detailClassTime/uploadNotes',
  communication_record: 'POST /api/lector/schedule/communication/{id}',
  attendance: 'POST /api/lector/attendance',
  study_record: 'POST /api/app/study',
  leave_batch: 'PUT /api/lector/leave/setOpStatus',
  leave_batch_record: 'PUT /api/lector/leave/setOpStatus',
  roll_call: 'POST /api/lector/attendance/rollcall/{periodId}',
  roll_call_mark: 'POST /api/lector/attendance/rollcall/{periodId}',
  calendar_feed: 'POST /api/lector/calendar/feed',
  community_group: 'POST /api/lector/community/post',
  community_post: 'POST /api/lector/community/post',
  community_comment: 'POST /api/lector/community/comment',
  community_like: 'PUT /api/lector/community/like/{id}',
  community_collect: 'POST /api/lector/community/collect',
  community_report: 'POST /api/lector/community/report',
  class_notice: 'POST /api/lector/announcement',
  class_meeting: 'POST /api/lector/class/meeting',
  class_meeting_attendance: 'POST /api/app/meeting/join',
};

/** For which there is none yet. Whoever adds the call takes its tables away here; nothing is added. */
const withoutCall: readonly Table[] = [
  'grade',
  'classify',
  'subject',
  'room',
  'student',
  'course',
  'course_chapter',
  'period',
  'class',
  'class_course',
  'class_staff',
  'class_student',
  'class_earlier_stay',
  'large_class',
  'class_group',
  'class_group_staff',
  'class_session',
  'team_class',
  'class_contract',
  'knowledge_point',
  'ware_classify',
  'community_member',
  'service_token',
  'exam_category',
  'exam',
  'exam_school',
  'exam_section',
  'exam_question',
  'exam_report',
  'exam_answer',
  'exam_figures',
  'exam_score',
  'exam_question_figures',
  'exam_wrong_option',
];
/** How many there were when the first calls of administrators were there. */
const atFirst = 34;

it('every table is filled by a call, or waits for one', () => {
  const named = [...Object.keys(filledBy), ...withoutCall].sort();
  expect(named).toEqual(Object.keys(ownerOf).sort());
  expect(withoutCall.length).toBeLessThanOrEqual(atFirst);
});

it('those calls are there', () => {
  const calls = new Set(
    Object.entries(openApi(describedApi).paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`),
    ),
  );
  expect(Object.values(filledBy).filter((call) => !calls.has(call))).toEqual([]);
});
