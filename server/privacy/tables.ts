/**
 * All tables with personal data of a student, declared by their owners. Erasure and export go through this list in
 * order: texts that mention the student by name are erased before the name itself. test/db/privacy-tables.test.ts fails
 * if a table is missing.
 */
import { personalReminders } from '#server/analysis/privacy.ts';
import { personalAttendance } from '#server/attendance/privacy.ts';
import { personalCommunity } from '#server/community/privacy.ts';
import { personalClasses } from '#server/enrolment/privacy.ts';
import { personalExams } from '#server/exams/privacy.ts';
import { personalGrading } from '#server/grading-desk/privacy.ts';
import { personalContracts } from '#server/group-classes/privacy.ts';
import { personalHistory } from '#server/history/privacy.ts';
import { personalHomework } from '#server/homework/privacy.ts';
import { personalLinks } from '#server/identity/privacy.ts';
import { personalImports } from '#server/import/privacy.ts';
import { personalLearning } from '#server/learners/privacy.ts';
import { personalMeetings } from '#server/meetings/privacy.ts';
import { personalNotices } from '#server/notices/privacy.ts';
import { personalRequests } from '#server/platform/calls/privacy.ts';
import type { PersonalTable } from '#server/platform/db/privacy.ts';
import { personalExports } from '#server/platform/export/privacy.ts';
import { personalMessages } from '#server/platform/sms/privacy.ts';
import { personalSessions } from '#server/sessions/privacy.ts';
import { personalStudents } from '#server/students/privacy.ts';

export const personalTables: readonly PersonalTable[] = [
  ...personalImports,
  ...personalExports,
  ...personalRequests,
  ...personalMessages,
  ...personalLearning,
  ...personalGrading,
  ...personalHomework,
  ...personalReminders,
  ...personalExams,
  ...personalClasses,
  ...personalContracts,
  ...personalAttendance,
  ...personalSessions,
  ...personalCommunity,
  ...personalNotices,
  ...personalMeetings,
  ...personalHistory,
  ...personalLinks,
  ...personalStudents,
];
