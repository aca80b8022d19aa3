/**
 * The school's tables, as the queries of all subjects see them, beside those of the machinery. Scores are whole tenths
 * of a point, or hundredths where the homework is rated (see homework/scoring.ts). A `school_id` that is generated is
 * written by the database: the school of what the row hangs on, when it was made.
 */
import type { Generated, Selectable } from 'kysely';
import type { ProviderKind } from '#server/identity/rules.ts';
import type { Flag } from '#server/platform/db/schema.ts';

declare module '#server/platform/db/schema.ts' {
  interface Tables {
    // ---- The school
    setting: { name: string; value: string };
    backup: BackupTable;
    school: { id: Generated<number>; org_name: string; put_away_at: number | null };
    grade: Named & PutAway;
    classify: Named & PutAway & { parent_id: number | null };
    subject: Named & PutAway;
    room: Named & PutAway & { school_id: number; seats: Generated<number> };
    holiday: { id: Generated<number>; day: string; name: string; is_workday: Flag; as_weekday: number | null };
    student: {
      id: Generated<number>;
      nickname: string;
      mobile: Generated<string>;
      pinyin: ReadName;
      avatar: Generated<string>;
      school_id: number;
      created_at: number;
      number: Generated<string>;
      guardian_mobile: Generated<string>;
      disabled_at: number | null;
      deleted_at: number | null;
      erased_at: number | null;
    };
    erased_file: { storage_key: string; at: number };
    learner_session: LearnerSessionTable;
    learner_code: {
      student_id: number;
      code_hash: string;
      sent_at: number;
      tries: Generated<number>;
      first_sent_at: number;
      sent: number;
    };
    learner_event: {
      id: Generated<number>;
      at: number;
      kind: string;
      student_id: number;
      school_id: number;
      record_id: number;
      details: string;
    };
    webhook: {
      token_id: number;
      url: string;
      secret: string;
      events: string;
      created_at: number;
      ended_at: number | null;
    };
    term: {
      id: Generated<number>;
      name: string;
      type: 'schoolYear' | 'semester' | 'term' | 'gradingPeriod';
      first_day: Generated<string>;
      last_day: Generated<string>;
      parent_id: number | null;
      put_away_at: number | null;
      sort: Generated<number>;
    };
    roster_client: RosterClientTable;
    roster_client_school: { client_id: number; school_id: number };
    identity_provider: IdentityProviderTable;
    identity_link: IdentityLinkTable;
    identity_attempt: {
      state_hash: string;
      provider: string;
      browser_hash: string;
      nonce: string;
      verifier: string;
      return_to: string;
      created_at: number;
      staff_id: number | null;
    };
    identity_session: {
      sign_in_id: number;
      provider: string;
      realm: string;
      subject: string;
      session_key: string;
      id_token: string;
    };
    roster_access: { token_hash: string; client_id: number; scopes: string; ends_at: number };
    course: CourseTable;
    course_chapter: { id: Generated<number>; course_id: number; title: string; sort: Generated<number> };
    period: PeriodTable;
    class: ClassTable;
    large_class: { id: Generated<number>; school_id: number; name: string };
    class_term: { class_id: number; term_id: number };
    class_staff: { class_id: number; staff_id: number; duty: 'head' | 'assistant' };
    class_course: { class_id: number; course_id: number };
    class_student: {
      id: Generated<number>;
      class_id: number;
      student_id: number;
      join_type: Generated<number>;
      joined_at: number;
      left_at: number | null;
      left_reason: Generated<string>;
      leaving_at: number | null;
      leaving_reason: Generated<string>;
    };
    class_earlier_stay: {
      class_id: number;
      student_id: number;
      joined_at: number;
      left_at: number;
      left_reason: Generated<string>;
    };
    class_group: { id: Generated<number>; class_id: number; course_id: number; group_name: string };
    class_group_staff: { class_group_id: number; staff_id: number };
    class_group_student: { class_student_id: number; course_id: number; class_group_id: number };
    // ---- Questions
    knowledge_point: Named & { parent_id: number | null; subject_id: number | null };
    question: QuestionTable;
    question_bank: { bank: number; questions: number; version: number };
    question_count: { point_id: number; questions: number };
    question_search: QuestionSearchTable;
    question_collect: { id: Generated<number>; staff_id: number; question_id: number; created_at: number };
    question_correction: {
      id: Generated<number>;
      question_id: number;
      stem_text: string;
      staff_id: number;
      type: number;
      error_msg: string;
      created_at: number;
    };
    question_correction_reply: {
      correction_id: number;
      outcome: 1 | 2 | 3;
      reply: Generated<string>;
      staff_id: number;
      at: number;
    };
    question_import: QuestionImportTable;
    question_import_row: {
      import_id: string;
      sort: number;
      draft: string;
      place: string;
      errors: string;
      losses: string;
      is_good: Flag;
    };
    // ---- Homework
    homework: HomeworkTable;
    homework_class: HomeworkClassTable;
    homework_question: HomeworkQuestionTable;
    homework_scope: { homework_id: number; course_id: number };
    homework_draft: {
      id: Generated<number>;
      owner_id: number;
      form: string;
      saved_at: number;
      key: Generated<string>;
      name: Generated<string>;
      address: Generated<string>;
      in_place: Generated<0 | 1>;
      course_title: Generated<string>;
      question_count: number | null;
      is_empty: Generated<0 | 1>;
    };
    report: ReportTable;
    answer: AnswerTable;
    answer_draft: {
      report_id: number;
      school_id: Generated<number>;
      version: number;
      answers: string;
      answer_time: number;
      saved_at: number;
    };
    homework_reminder: {
      id: Generated<number>;
      homework_id: number;
      student_id: number;
      staff_id: number;
      sent_at: number;
    };
    // ---- Correction
    blank_judgment: BlankJudgmentTable;
    grading_batch: {
      id: Generated<number>;
      staff_id: number;
      record: 'answer' | 'exam_answer';
      at: number;
      undone_at: number | null;
    };
    grading_batch_answer: { batch_id: number; answer_id: number; report_id: number; version: number; before: string };
    pinned_comment: { staff_id: number; key: string; comment: string };
    // ---- Exams
    exam_category: Named & PutAway & { parent_id: number | null };
    exam: ExamTable;
    exam_school: { exam_id: number; school_id: number };
    exam_section: { id: Generated<number>; exam_id: number; name: string; introduce: Generated<string>; sort: number };
    exam_question: ExamQuestionTable;
    exam_blank_judgment: BlankJudgmentTable;
    exam_report: ExamReportTable;
    exam_answer: ExamAnswerTable;
    exam_figures: ExamFiguresTable;
    exam_score: { exam_id: number; school_id: number; user_score: number; report_count: number };
    exam_question_figures: ExamQuestionFiguresTable;
    exam_attempt: ExamAttemptTable;
    exam_attempt_answer: {
      attempt_id: number;
      question_id: number;
      user_answer: string;
      is_sign: Flag;
      serial: number;
      saved_at: number;
      version: Generated<number>;
      device: Generated<string>;
      /** JSON [{user_answer, is_sign, saved_at}]. */
      aside: Generated<string>;
    };
    exam_wrong_option: { question_id: number; school_id: number; option_id: string; chosen_count: number };
    // ---- Courseware
    ware_classify: Named & PutAway;
    ware_file: WareFileTable;
    courseware: CoursewareTable;
    lesson_ware: LessonWareTable;
    class_ware: ClassWareTable;
    // ---- Sessions and group classes
    class_session: ClassSessionTable;
    team_class: TeamClassTable;
    class_contract: ClassContractTable;
    session_student: SessionStudentTable;
    session_handout: SessionHandoutTable;
    communication_record: {
      id: Generated<number>;
      session_id: number;
      student_id: number;
      staff_id: number;
      content: string;
      created_at: number;
    };
    // ---- Attendance
    attendance: AttendanceTable;
    study_record: {
      student_id: number;
      period_id: number;
      school_id: Generated<number>;
      live_seconds: Generated<number>;
      replay_seconds: Generated<number>;
    };
    leave_batch: {
      id: Generated<number>;
      staff_id: number;
      op_status: 2 | 3;
      at: number;
      undone_at: number | null;
    };
    leave_batch_record: { batch_id: number; attendance_id: number; version: number };
    roll_call: {
      id: Generated<number>;
      staff_id: number;
      class_id: number;
      period_id: number | null;
      session_id: number | null;
      at: number;
      undone_at: number | null;
    };
    /** What the owner of the record says of it, as JSON. */
    roll_call_mark: { roll_call_id: number; record_id: number; before: string; after: string };
    // ---- Calendar
    calendar_feed: {
      id: Generated<number>;
      staff_id: number;
      class_id: number | null;
      token_hash: string;
      created_at: number;
      used_at: number | null;
      revoked_at: number | null;
    };
    // ---- Community, notices and meetings
    community_group: CommunityGroupTable;
    community_member: {
      id: Generated<number>;
      group_id: number;
      user_type: 1 | 2 | 3;
      staff_id: number | null;
      student_id: number | null;
      joined_at: number;
    };
    community_post: CommunityPostTable;
    community_comment: {
      id: Generated<number>;
      post_id: number;
      user_type: 1 | 2 | 3 | 4;
      staff_id: number | null;
      student_id: number | null;
      content: string;
      created_at: number;
    };
    community_like: {
      id: Generated<number>;
      post_id: number;
      staff_id: number | null;
      student_id: number | null;
      created_at: number;
    };
    community_collect: { id: Generated<number>; post_id: number; staff_id: number; created_at: number };
    community_report: {
      id: Generated<number>;
      post_id: number;
      staff_id: number;
      type: number;
      content: string;
      created_at: number;
      decided_by: Generated<number | null>;
      decided_at: Generated<number | null>;
      outcome: Generated<1 | 2 | null>;
    };
    class_notice: ClassNoticeTable;
    removed_notice: {
      id: Generated<number>;
      notice_id: number;
      class_id: number;
      created_at: number;
      removed_at: number;
    };
    notice_read: { notice_id: number; student_id: number; school_id: Generated<number>; read_at: number };
    class_meeting: ClassMeetingTable;
    class_meeting_attendance: {
      id: Generated<number>;
      meeting_id: number;
      student_id: number;
      school_id: Generated<number>;
      joined_at: number;
    };
    // ---- Imports
    import_source: {
      id: Generated<number>;
      name: string;
      created_at: number;
      mapping: Generated<string>;
      owner: Generated<string>;
    };
    import: ImportTable;
    import_row: ImportRowTable;
    import_remark: {
      id: Generated<number>;
      import_id: number;
      tone: 'refused' | 'forgiven' | 'doubted';
      file: string;
      place: number;
      field: string;
      message: string;
    };
    external_id: {
      id: Generated<number>;
      source_id: number;
      kind: string;
      sourced_id: string;
      record: string;
      state: 'active' | 'gone';
      fields: string;
      import_id: number;
    };
    erased_source: { source_id: number; mark: string; student_id: number };
  }

  interface SmsOutboxTable {
    session_id: number | null;
    student_id: number | null;
  }
}

/** How the name may be read (server/platform/text/pinyin.ts): the database's own triggers write it. */
type ReadName = Generated<string>;

interface Named {
  id: Generated<number>;
  name: string;
  sort: Generated<number>;
}

/** Null: offered where something is chosen. */
interface PutAway {
  put_away_at: number | null;
}

interface BackupTable {
  id: Generated<number>;
  kind: 'scheduled' | 'manual' | 'restore_point';
  file: string;
  bytes: number;
  files: number;
  verdict: 'ok' | 'unread' | 'incomplete' | 'failed';
  reason: '' | 'disk_full' | 'forbidden' | 'storage' | 'program' | 'database' | 'damaged' | 'other';
  missing: number;
  message: string;
  started_at: number;
  ended_at: number;
}

interface LearnerSessionTable {
  id: Generated<number>;
  token_hash: string;
  token_id: number;
  student_id: number;
  created_at: number;
  used_at: number;
  ended_at: number | null;
}

interface IdentityProviderTable {
  id: number;
  kind: ProviderKind;
  name: string;
  is_on: Flag;
  address: string;
  client_id: string;
  secret: string;
  organization: string;
  scope: string;
  claim: string;
  asks_code: Flag;
}

interface IdentityLinkTable {
  id: Generated<number>;
  provider: ProviderKind;
  realm: string;
  subject: string;
  number: string;
  name: string;
  staff_id: number | null;
  state: 'waiting' | 'linked' | 'rejected';
  created_at: number;
  used_at: number;
}

interface RosterClientTable {
  id: Generated<number>;
  name: string;
  client_id: string;
  secret_hash: string;
  every_school: Generated<Flag>;
  reads_roster: Flag;
  reads_gradebook: Flag;
  created_at: number;
  used_at: number | null;
  ended_at: number | null;
}

interface CourseTable {
  id: Generated<number>;
  parent_id: number | null;
  title: string;
  pinyin: ReadName;
  course_type: Generated<number>;
  cover_img: Generated<string>;
  introduction: Generated<string>;
  school_id: number;
  classify_id: number | null;
  grade_id: number | null;
  subject_id: number | null;
  course_extend: Generated<Flag>;
  created_at: number;
  put_away_at: Generated<number | null>;
}

interface PeriodTable {
  id: Generated<number>;
  course_id: number;
  chapter_id: number | null;
  title: string;
  periods_type: Generated<number>;
  lecturer_id: number | null;
  start_play: number;
  total_time: Generated<number>;
  sort: Generated<number>;
  advance_time: Generated<number>;
  student_code: Generated<string>;
  allow_enter: Generated<Flag>;
  is_playback: Generated<Flag>;
  periods_extend: Generated<Flag>;
}

interface ClassTable {
  id: Generated<number>;
  name: string;
  pinyin: ReadName;
  school_id: number;
  grade_id: number | null;
  classify_id: number | null;
  large_class_id: number | null;
  cover_image: Generated<string>;
  schedule_image: Generated<string>;
  valid_type: Generated<number>;
  valid_time: Generated<number>;
  class_type: Generated<0 | 1 | 3>;
  /** 2 hides its circle. */
  group_hidden: Generated<1 | 2>;
  created_at: number;
}

interface ClassSessionTable {
  id: Generated<number>;
  class_id: number;
  course_id: number;
  period_id: number | null;
  lecturer_id: number;
  room_id: number | null;
  teaching_mode: Generated<1 | 2>;
  chapter_title: Generated<string>;
  start_time: number;
  end_time: number;
  cancelled_at: number | null;
  cancel_reason: Generated<string>;
  created_at: number;
}

interface TeamClassTable {
  class_id: number;
  subject_id: number | null;
  lecturer_id: number | null;
  room_id: number | null;
  teaching_mode: Generated<1 | 2>;
  sign_type: Generated<1 | 2>;
  schedule: Generated<string>;
  remarks: Generated<string>;
  start_time: number;
  ended_at: number | null;
}

interface ClassContractTable {
  class_student_id: number;
  contracts_number: string;
  sign_type: Generated<1 | 2>;
  remaining_lessons: Generated<number>;
  periods_price: Generated<number>;
  lesson_minutes: Generated<number>;
  first_time: number | null;
}

interface SessionStudentTable {
  id: Generated<number>;
  session_id: number;
  student_id: number;
  school_id: Generated<number>;
  status: 1 | 2 | 3 | null;
  attend_type: Generated<0 | 1 | 2>;
  remark: Generated<string>;
  set_by: number | null;
  set_at: number | null;
  teacher_remark: Generated<string>;
  teacher_remark_by: number | null;
  teacher_remark_at: number | null;
  student_remark: Generated<string>;
}

interface SessionHandoutTable {
  session_id: number;
  file_id: number;
  file_name: string;
  status: Generated<1 | 3 | 4>;
  file_remark: Generated<string>;
  uploaded_by: number;
  uploaded_at: number;
  decided_by: Generated<number | null>;
  decided_at: Generated<number | null>;
}

/** PostgreSQL's; SQLite's full-text index of that name is asked in its own words. */
interface QuestionSearchTable {
  question_id: number;
  place: number;
  owner_id: number;
  is_public: number;
  ques_type: number;
  facility_value: number;
  point_id: number | null;
  stem: string;
  remark: string;
}

interface QuestionTable {
  id: Generated<number>;
  owner_id: number;
  is_public: Generated<Flag>;
  parent_id: number | null;
  point_id: Generated<number | null>;
  sort: Generated<number>;
  ques_type: number;
  ques_stem: string;
  stem_text: string;
  ques_option: Generated<string>;
  right_answer: Generated<string>;
  /** 1: the letter case of a blank does not count. */
  ignore_case: Generated<Flag>;
  ques_analysis: Generated<string>;
  facility_value: Generated<number>;
  remark: Generated<string>;
  created_at: number;
  updated_at: number;
}

interface QuestionImportTable {
  id: string;
  owner_id: number;
  file_name: string;
  status: 1 | 2 | 3;
  percent: Generated<number>;
  message: Generated<string>;
  notes: Generated<string>;
  pictures: Generated<string>;
  created_at: number;
  updated_at: number;
}

interface HomeworkTable {
  id: Generated<number>;
  name: string;
  pinyin: ReadName;
  type: 1 | 2;
  status: Generated<1 | 2>;
  course_id: number;
  period_id: number | null;
  creator_id: number;
  remark: Generated<string>;
  publish_time: number;
  ending_time: number;
  is_set_score: 1 | 2;
  right_answers: Generated<1 | 2>;
  publish_scope: 1 | 2 | 3;
  publish_type: 1 | 2;
  source: Generated<number>;
  arrange_id: number | null;
  arrange_type: number | null;
  total_score: number;
  class_count: Generated<number>;
  published_class_count: Generated<number>;
  homework_count: Generated<number>;
  submitted_homework_count: Generated<number>;
  not_revised_homework_count: Generated<number>;
  changed_at: Generated<number>;
}

interface HomeworkClassTable {
  homework_id: number;
  class_id: number;
  published_at: number | null;
  homework_count: Generated<number>;
  submitted_homework_count: Generated<number>;
  not_revised_homework_count: Generated<number>;
}

interface HomeworkQuestionTable {
  id: Generated<number>;
  homework_id: number;
  source_id: number | null;
  parent_id: number | null;
  sort: number;
  ques_type: number;
  ques_stem: string;
  ques_option: Generated<string>;
  right_answer: Generated<string>;
  /** 1: the letter case of a blank does not count. */
  ignore_case: Generated<Flag>;
  ques_analysis: Generated<string>;
  facility_value: Generated<number>;
  score: number;
}

interface BlankJudgmentTable {
  id: Generated<number>;
  /** Id in homework_question, or in exam_question. */
  question_id: number;
  blank: number;
  answer_hash: string;
  is_right: 1 | 2;
  reason: string;
  staff_id: number;
  at: number;
  undone_at: number | null;
}

interface ReportTable {
  id: Generated<number>;
  homework_id: number;
  class_id: number;
  student_id: number;
  school_id: Generated<number>;
  status: Generated<1 | 2 | 3>;
  submit_time: number | null;
  answer_time: Generated<number>;
  user_score: Generated<number>;
  objective_score: Generated<number>;
  subjective_score: Generated<number>;
  graded_at: number | null;
  graded_by: number | null;
  comment: Generated<string>;
  changed_at: Generated<number>;
}

interface AnswerTable {
  id: Generated<number>;
  report_id: number;
  question_id: number;
  school_id: Generated<number>;
  status: number;
  user_answer: Generated<string>;
  score: number | null;
  review_comment: Generated<string>;
  review_attachments: Generated<string>;
  reviewed_by: number | null;
  reviewed_at: number | null;
  version: Generated<number>;
  review_images: Generated<string>;
  answer_key: Generated<string | null>;
}

interface WareFileTable {
  id: Generated<number>;
  storage_key: string;
  is_exclusive: Generated<Flag>;
  name: string;
  extension: string;
  size: number;
  uploaded_by: number | null;
  uploaded_at: number;
}

interface CoursewareTable {
  id: Generated<number>;
  school_id: number;
  owner_id: number | null;
  file_id: number;
  classify_id: number | null;
  ware_name: string;
  ware_desc: Generated<string>;
  ware_type: 1 | 2 | 3;
  created_at: number;
  updated_at: number;
}

interface LessonWareTable {
  id: Generated<number>;
  session_id: number;
  file_id: number;
  courseware_id: number | null;
  ware_name: string;
  ware_type: 1 | 2 | 3;
  is_sync: number;
  added_by: number;
  created_at: number;
}

interface ClassWareTable {
  id: Generated<number>;
  class_id: number;
  file_id: number;
  courseware_id: number | null;
  classify_id: number | null;
  ware_name: string;
  ware_desc: Generated<string>;
  ware_type: 1 | 2 | 3;
  added_by: number;
  created_at: number;
  updated_at: number;
}

interface ExamTable {
  id: Generated<number>;
  name: string;
  pinyin: ReadName;
  introduce: Generated<string>;
  type: Generated<1 | 2>;
  category_id: number | null;
  limit_time: Generated<number>;
  score: number;
  pass_score: number;
  ques_num: Generated<number>;
  status: Generated<1 | 2>;
  creator_id: number;
  school_id: number;
  created_at: number;
  start_at: number | null;
  end_at: number | null;
  attempts: Generated<number>;
  published_at: number | null;
  changed_at: Generated<number>;
}

interface ExamQuestionTable {
  id: Generated<number>;
  exam_id: number;
  section_id: number;
  source_id: number | null;
  parent_id: number | null;
  sort: number;
  ques_type: number;
  ques_stem: string;
  ques_option: Generated<string>;
  right_answer: Generated<string>;
  /** 1: the letter case of a blank does not count. */
  ignore_case: Generated<Flag>;
  ques_analysis: Generated<string>;
  facility_value: Generated<number>;
  score: number;
  answer_score: Generated<string>;
  points: Generated<string>;
  attachments: Generated<string>;
}

interface ExamReportTable {
  id: Generated<number>;
  exam_id: number;
  student_id: number;
  school_id: number;
  test_status: 2 | 3;
  submit_time: number;
  answer_time: number;
  user_score: number;
  objective_score: number;
  subjective_score: number;
  is_effective: Generated<Flag>;
  is_finish_conditions: Generated<Flag>;
  graded_at: number | null;
  graded_by: number | null;
  comment: Generated<string>;
  changed_at: Generated<number>;
}

interface ExamAttemptTable {
  id: Generated<number>;
  exam_id: number;
  student_id: number;
  school_id: Generated<number>;
  started_at: number;
  limit_at: number | null;
  handed_in_at: number | null;
  by_server: Generated<Flag>;
  saves: Generated<number>;
  report_id: number | null;
}

interface ExamAnswerTable {
  id: Generated<number>;
  report_id: number;
  question_id: number;
  school_id: Generated<number>;
  status: number;
  user_answer: Generated<string>;
  answer_key: Generated<string | null>;
  score: number | null;
  is_sign: Generated<Flag>;
  review_comment: Generated<string>;
  review_attachments: Generated<string>;
  review_images: Generated<string>;
  reviewed_by: number | null;
  reviewed_at: number | null;
  version: Generated<number>;
}

interface ExamFiguresTable {
  exam_id: number;
  school_id: number;
  student_count: Generated<number>;
  submitted_count: Generated<number>;
  graded_count: Generated<number>;
  passed_count: Generated<number>;
  score_sum: Generated<number>;
  answer_time_sum: Generated<number>;
}

interface ExamQuestionFiguresTable {
  question_id: number;
  school_id: number;
  answered_count: Generated<number>;
  unanswered_count: Generated<number>;
  right_count: Generated<number>;
  wrong_count: Generated<number>;
  waiting_count: Generated<number>;
  score_sum: Generated<number>;
}

interface CommunityGroupTable {
  id: Generated<number>;
  group_type: 1 | 2;
  class_id: number | null;
  school_id: number;
  name: string;
  image: Generated<string>;
  introduction: Generated<string>;
  post_num: Generated<number>;
  user_num: Generated<number>;
  created_at: number;
  put_away_at: number | null;
}

interface CommunityPostTable {
  id: Generated<number>;
  group_id: number;
  user_type: 1 | 2 | 3 | 4;
  staff_id: number | null;
  student_id: number | null;
  content: string;
  images: Generated<string>;
  like_num: Generated<number>;
  comment_num: Generated<number>;
  report_num: Generated<number>;
  created_at: number;
  deleted_at: number | null;
  deleted_by: number | null;
}

interface ClassNoticeTable {
  id: Generated<number>;
  class_id: number;
  title: string;
  content: string;
  staff_id: number | null;
  created_at: number;
  updated_at: number;
}

interface ClassMeetingTable {
  id: Generated<number>;
  class_id: number;
  meeting_name: string;
  start_time: number;
  end_time: number;
  staff_id: number;
  room_id: string;
  teacher_code: string;
  assistant_code: string;
  student_code: string;
  created_at: number;
}

interface ImportTable {
  id: Generated<number>;
  source_id: number;
  staff_id: number | null;
  file_name: string;
  file_key: Generated<string>;
  content_hash: string;
  read_as: Generated<string>;
  mode: 'bulk' | 'delta';
  kinds: string;
  state: 'uploaded' | 'checked' | 'held' | 'applied' | 'undone' | 'discarded';
  job: Generated<'' | 'check' | 'apply' | 'undo'>;
  done: Generated<number>;
  total: Generated<number>;
  noted_at: number;
  is_cancelled: Generated<Flag>;
  failure: Generated<string>;
  counts: Generated<string>;
  holds: Generated<string>;
  writes: Generated<number>;
  effects: Generated<string>;
  choices: Generated<string>;
  found: Generated<Flag>;
  list: Generated<string>;
  plan: Generated<string>;
  created_at: number;
  checked_at: Generated<number | null>;
  applied_at: Generated<number | null>;
  undone_at: Generated<number | null>;
}

interface ImportRowTable {
  id: Generated<number>;
  import_id: number;
  kind: string;
  source_id: string;
  state: 'active' | 'gone' | 'absent';
  file: string;
  place: number;
  fields: string;
  verdict: Generated<string>;
  record: Generated<string>;
  label: Generated<string>;
  before: Generated<string>;
  after: Generated<string>;
  conflicts: Generated<string>;
  reasons: Generated<string>;
  effect: Generated<string>;
  seen: Generated<string>;
  choice: Generated<string>;
  trace: Generated<string>;
  stayed: Generated<string>;
}

interface AttendanceTable {
  id: Generated<number>;
  class_id: number;
  student_id: number;
  period_id: number;
  school_id: Generated<number>;
  op_status: -1 | 0 | 1 | 2 | 3 | 4 | 5 | 6;
  leave_cause: Generated<string>;
  requested_at: number | null;
  requested_by: number | null;
  decided_at: number | null;
  decided_by: number | null;
  changed_at: number;
  version: Generated<number>;
}

export type Homework = Selectable<HomeworkTable>;
export type Exam = Selectable<ExamTable>;
