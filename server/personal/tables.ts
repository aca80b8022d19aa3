/**
 * All that there is of one student, by the owners of the tables; in the order in which it goes: what is found by their name
 * before the name. A table with students that is not among these fails test/db/personal-tables.test.ts.
 */
import { personalReminders } from '#server/analysis/personal.ts';
import { personalAttendance } from '#server/attendance/personal.ts';
import { personalClasses } from '#server/classes/personal.ts';
import { personalCommunity } from '#server/community/personal.ts';
import { personalCorrection } from '#server/correction/personal.ts';
import { personalExams } from '#server/exams/personal.ts';
import { personalContracts } from '#server/group-classes/personal.ts';
import { personalHistory } from '#server/history/personal.ts';
import { personalHomework } from '#server/homework/personal.ts';
import { personalImports } from '#server/import/personal.ts';
import { personalMeetings } from '#server/meetings/personal.ts';
import { personalNotices } from '#server/notices/personal.ts';
import { personalRequests } from '#server/platform/calls/personal.ts';
import type { PersonalTable } from '#server/platform/db/personal.ts';
import { personalExports } from '#server/platform/export/personal.ts';
import { personalMessages } from '#server/platform/sms/personal.ts';
import { personalLearning } from '#server/school/personal.ts';
import { personalSessions } from '#server/sessions/personal.ts';
import { personalStudents } from '#server/students/personal.ts';

export const personalTables: readonly PersonalTable[] = [
  ...personalImports,
  ...personalExports,
  ...personalRequests,
  ...personalMessages,
  ...personalLearning,
  ...personalCorrection,
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
  ...personalStudents,
];
