/**
 * Says which rows of each table belong to a school. Rows of others that they refer to (a grader, another school's exam,
 * a subject) are found by foreign keys and copied too; see transfer.ts.
 */
import type { Tables } from '#server/platform/db/schema.ts';

type Table = keyof Tables;

/**
 * How rows of a table belong to a school: by a column with the school's id, or through a row of another table. `ends`:
 * the rows are not copied, but deleted with the school. `named`: the rows are copied only if a copied row refers to
 * them, such as catalogue entries. `stays`: the rows belong to the installation.
 */
type Owned = { school: string; ends?: true } | { by: string; of: Table; ends?: true };
type TableOwnership = Owned | 'named' | 'stays';

const bySchool: Owned = { school: 'school_id' };
const ownedBy = (column: string, of: Table): Owned => ({ by: column, of });
const endsWith = (owned: Owned): Owned => ({ ...owned, ends: true });

export const schoolRowConditions: Record<Table, TableOwnership> = {
  school: { school: 'id' },
  staff: bySchool,
  staff_school: bySchool,
  student: bySchool,
  room: bySchool,
  large_class: bySchool,
  course: bySchool,
  course_chapter: ownedBy('course_id', 'course'),
  period: ownedBy('course_id', 'course'),
  class: bySchool,
  class_course: ownedBy('class_id', 'class'),
  class_staff: ownedBy('class_id', 'class'),
  class_term: ownedBy('class_id', 'class'),
  class_student: ownedBy('class_id', 'class'),
  class_earlier_stay: ownedBy('class_id', 'class'),
  class_group: ownedBy('class_id', 'class'),
  class_group_staff: ownedBy('class_group_id', 'class_group'),
  class_group_student: ownedBy('class_group_id', 'class_group'),
  class_session: ownedBy('class_id', 'class'),
  team_class: ownedBy('class_id', 'class'),
  class_contract: ownedBy('class_student_id', 'class_student'),
  session_student: bySchool,
  session_handout: ownedBy('session_id', 'class_session'),
  communication_record: ownedBy('session_id', 'class_session'),
  attendance: bySchool,
  study_record: bySchool,
  roll_call: ownedBy('class_id', 'class'),
  roll_call_mark: ownedBy('roll_call_id', 'roll_call'),
  question: ownedBy('owner_id', 'staff'),
  question_collect: ownedBy('staff_id', 'staff'),
  question_tag: ownedBy('owner_id', 'staff'),
  question_merge: ownedBy('owner_id', 'staff'),
  question_difference: ownedBy('owner_id', 'staff'),
  question_correction: ownedBy('staff_id', 'staff'),
  question_correction_reply: ownedBy('correction_id', 'question_correction'),
  homework: ownedBy('course_id', 'course'),
  homework_class: ownedBy('class_id', 'class'),
  homework_question: ownedBy('homework_id', 'homework'),
  homework_scope: ownedBy('homework_id', 'homework'),
  homework_draft: ownedBy('owner_id', 'staff'),
  homework_reminder: ownedBy('homework_id', 'homework'),
  report: bySchool,
  answer: bySchool,
  answer_draft: bySchool,
  pinned_comment: ownedBy('staff_id', 'staff'),
  exam: bySchool,
  exam_school: bySchool,
  exam_class: ownedBy('class_id', 'class'),
  exam_section: ownedBy('exam_id', 'exam'),
  exam_question: ownedBy('exam_id', 'exam'),
  exam_report: bySchool,
  exam_answer: bySchool,
  exam_figures: bySchool,
  exam_score: bySchool,
  exam_question_figures: bySchool,
  exam_wrong_option: bySchool,
  exam_attempt: bySchool,
  exam_attempt_answer: ownedBy('attempt_id', 'exam_attempt'),
  ware_file: ownedBy('uploaded_by', 'staff'),
  courseware: bySchool,
  lesson_ware: ownedBy('session_id', 'class_session'),
  class_ware: ownedBy('class_id', 'class'),
  community_group: bySchool,
  community_member: ownedBy('group_id', 'community_group'),
  community_post: ownedBy('group_id', 'community_group'),
  community_comment: ownedBy('post_id', 'community_post'),
  community_like: ownedBy('post_id', 'community_post'),
  community_collect: ownedBy('post_id', 'community_post'),
  community_report: ownedBy('post_id', 'community_post'),
  class_notice: ownedBy('class_id', 'class'),
  removed_notice: ownedBy('class_id', 'class'),
  notice_read: bySchool,
  class_meeting: ownedBy('class_id', 'class'),
  class_meeting_attendance: bySchool,
  learner_event: bySchool,
  calendar_feed: ownedBy('staff_id', 'staff'),
  history: bySchool,
  erased_history: ownedBy('history_id', 'history'),
  grade: 'named',
  classify: 'named',
  subject: 'named',
  term: 'named',
  knowledge_point: 'named',
  exam_category: 'named',
  ware_classify: 'named',
  // Data of the installation, and its connections to other systems.
  setting: 'stays',
  holiday: 'stays',
  backup: 'stays',
  serving_process: 'stays',
  background_job: 'stays',
  policy_report: 'stays',
  attempt: 'stays',
  service_token: 'stays',
  service_token_school: endsWith(bySchool),
  webhook: 'stays',
  identity_provider: 'stays',
  identity_link: endsWith(ownedBy('staff_id', 'staff')),
  identity_attempt: endsWith(ownedBy('staff_id', 'staff')),
  identity_session: endsWith(ownedBy('sign_in_id', 'sign_in')),
  learner_link: endsWith(ownedBy('student_id', 'student')),
  learner_link_attempt: 'stays',
  learner_link_session: endsWith(ownedBy('session_id', 'learner_session')),
  roster_client: 'stays',
  roster_client_school: endsWith(bySchool),
  roster_access: 'stays',
  import_source: 'stays',
  import: 'stays',
  import_row: 'stays',
  import_remark: 'stays',
  external_id: 'stays',
  erased_source: endsWith(ownedBy('student_id', 'student')),
  erased_file: 'stays',
  // Short-lived data is not copied: people sign in again, and recent actions cannot be undone in the target.
  sign_in: endsWith(ownedBy('staff_id', 'staff')),
  accepted_request: endsWith(ownedBy('staff_id', 'staff')),
  learner_session: endsWith(ownedBy('student_id', 'student')),
  learner_code: endsWith(ownedBy('student_id', 'student')),
  learner_password: ownedBy('student_id', 'student'),
  export_file: endsWith(ownedBy('staff_id', 'staff')),
  sms_outbox: endsWith(ownedBy('student_id', 'student')),
  question_import: endsWith(ownedBy('owner_id', 'staff')),
  question_import_row: endsWith(ownedBy('import_id', 'question_import')),
  question_import_line: endsWith(ownedBy('import_id', 'question_import')),
  question_import_change: endsWith(ownedBy('import_id', 'question_import')),
  blank_judgment: ownedBy('question_id', 'homework_question'),
  exam_blank_judgment: ownedBy('question_id', 'exam_question'),
  grading_batch: endsWith(ownedBy('staff_id', 'staff')),
  grading_batch_answer: endsWith(ownedBy('batch_id', 'grading_batch')),
  leave_batch: endsWith(ownedBy('staff_id', 'staff')),
  leave_batch_record: endsWith(ownedBy('attendance_id', 'attendance')),
  // Triggers derive these tables from questions.
  question_bank: 'stays',
  question_count: 'stays',
  question_search: 'stays',
};

/**
 * Dependent tables whose rows must be copied together with a row of another school. By table: the dependent table and
 * its column.
 */
export const wholeTables: Partial<Record<Table, readonly (readonly [part: Table, column: string])[]>> = {
  homework: [['homework_question', 'homework_id']],
  exam: [
    ['exam_section', 'exam_id'],
    ['exam_question', 'exam_id'],
  ],
  question: [['question', 'parent_id']],
};

/** Tables whose rows cannot be deleted; their rows stay in the source database. */
export const undeletableTables: readonly Table[] = [
  'history',
  'erased_history',
  'question_correction',
  'question_correction_reply',
];

export const schoolTables = Object.keys(schoolRowConditions) as Table[];
/** True if the move copies rows of this table because they belong to the school. */
export function isOwn(table: Table): boolean {
  const how = schoolRowConditions[table];
  return typeof how === 'object' && !how.ends;
}

/**
 * Returns the SQL condition for the rows of `table` that belong to the school, for both engines; false if no row does.
 */
export function schoolRowsCondition(table: Table, schoolId: number): string {
  const how = schoolRowConditions[table];
  if (typeof how === 'string') return '1 = 0';
  if ('school' in how) return `${table}.${how.school} = ${schoolId}`;
  return `${table}.${how.by} in (select id from ${how.of} where ${schoolRowsCondition(how.of, schoolId)})`;
}
