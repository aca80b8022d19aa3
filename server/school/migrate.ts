/** Brings a database to the school's present shape. */
import { sql } from 'kysely';
import type { Database, OpenDatabase } from '#server/platform/db/engine.ts';
import { makeFirstIndexes } from '#server/platform/db/indexes.ts';
import {
  type Migrations,
  migrationsDone,
  runMigrations,
  type SchemaState,
  schemaState,
} from '#server/platform/db/migrate.ts';
import { laterIndexes } from './indexes.ts';
import { school } from './migrations/0001-school.ts';
import { homework } from './migrations/0002-homework.ts';
import { appendOnly } from './migrations/0003-append-only.ts';
import { questionBank } from './migrations/0004-question-bank.ts';
import { courseware } from './migrations/0005-courseware.ts';
import { correction } from './migrations/0006-correction.ts';
import { sessions } from './migrations/0007-sessions.ts';
import { analysis } from './migrations/0008-analysis.ts';
import { lessonCourseware } from './migrations/0009-lesson-courseware.ts';
import { exams } from './migrations/0010-exams.ts';
import { classes } from './migrations/0011-classes.ts';
import { attendance } from './migrations/0012-attendance.ts';
import { community } from './migrations/0013-community.ts';
import { noticesMeetings } from './migrations/0014-notices-meetings.ts';
import { groupClasses } from './migrations/0015-group-classes.ts';
import { calendarLive } from './migrations/0016-calendar-live.ts';
import { examAnswersAlike } from './migrations/0017-exam-answers-alike.ts';
import { requestContent } from './migrations/0018-request-content.ts';
import { idsOnce } from './migrations/0019-ids-once.ts';
import { moreIdsOnce } from './migrations/0020-more-ids-once.ts';
import { questionSearch } from './migrations/0021-question-search.ts';
import { leaveAndMeetings } from './migrations/0022-leave-and-meetings.ts';
import { pinnedComments } from './migrations/0023-pinned-comments.ts';
import { foldedLetters } from './migrations/0024-folded-letters.ts';
import { rollCalls } from './migrations/0025-roll-calls.ts';
import { namesBySound } from './migrations/0026-names-by-sound.ts';
import { homeworkReminders } from './migrations/0027-homework-reminders.ts';
import { moreNamesBySound } from './migrations/0028-more-names-by-sound.ts';
import { administrators } from './migrations/0029-administrators.ts';
import { draftsKept } from './migrations/0030-drafts-kept.ts';
import { students } from './migrations/0031-students.ts';
import { catalogues } from './migrations/0032-catalogues.ts';
import { courses } from './migrations/0033-courses.ts';
import { classAdministration } from './migrations/0034-class-administration.ts';
import { composedExams } from './migrations/0035-composed-exams.ts';
import { decisions } from './migrations/0036-decisions.ts';
import { secondFactorAndSettings } from './migrations/0037-second-factor-and-settings.ts';
import { readByIndex } from './migrations/0038-read-by-index.ts';
import { imports } from './migrations/0039-imports.ts';
import { idleImports } from './migrations/0040-idle-imports.ts';
import { learners } from './migrations/0045-learners.ts';
import { webhooks } from './migrations/0046-webhooks.ts';
import { terms } from './migrations/0047-terms.ts';
import { importFiles } from './migrations/0048-import-files.ts';
import { ownImports } from './migrations/0050-own-imports.ts';
import { watchedImports } from './migrations/0053-watched-imports.ts';
import { rosterClients } from './migrations/0055-roster-clients.ts';
import { learnerCodes } from './migrations/0057-learner-codes.ts';
import { backups } from './migrations/0060-backups.ts';
import { erasedStudents } from './migrations/0062-erased-students.ts';
import { identity } from './migrations/0064-identity.ts';
import { attemptsAndProcesses } from './migrations/0066-attempts-and-processes.ts';
import { backgroundJobs } from './migrations/0067-background-jobs.ts';
import { termsInOrder } from './migrations/0068-terms-in-order.ts';
import { readAgain } from './migrations/0069-read-again.ts';
import { schoolsOfRecords } from './migrations/0070-schools-of-records.ts';
import { schoolYears } from './migrations/0071-school-years.ts';
import { identitiesAndReports } from './migrations/0074-identities-and-reports.ts';
import { leaving } from './migrations/0075-leaving.ts';
import { foundWhereItIs } from './migrations/0076-found-where-it-is.ts';
import { reportsInYears } from './migrations/0077-reports-in-years.ts';
import { questionsOfPoints } from './migrations/0080-questions-of-points.ts';
import { decidedHandouts } from './migrations/0081-decided-handouts.ts';
import { versionsOfExamAnswers } from './migrations/0101-versions-of-exam-answers.ts';
import { rightAnswersOfHomework } from './migrations/0102-right-answers-of-homework.ts';
import { blankJudgments } from './migrations/0111-blank-judgments.ts';
import { plainNames } from './migrations/0121-plain-names.ts';
import { ownedSources } from './migrations/0151-owned-sources.ts';
import { gradedPapers } from './migrations/0181-graded-papers.ts';
import { caseOfBlanks } from './migrations/0190-case-of-blanks.ts';
import { draftFacts } from './migrations/0191-draft-facts.ts';
import { examBlankJudgments } from './migrations/0192-exam-blank-judgments.ts';
import { ownerOf } from './table-owners.ts';

const migrations: Migrations = {
  '0001-school': school,
  '0002-homework': homework,
  '0003-append-only': appendOnly,
  '0004-question-bank': questionBank,
  '0005-courseware': courseware,
  '0006-correction': correction,
  '0007-sessions': sessions,
  '0008-analysis': analysis,
  '0009-lesson-courseware': lessonCourseware,
  '0010-exams': exams,
  '0011-classes': classes,
  '0012-attendance': attendance,
  '0013-community': community,
  '0014-notices-meetings': noticesMeetings,
  '0015-group-classes': groupClasses,
  '0016-calendar-live': calendarLive,
  '0017-exam-answers-alike': examAnswersAlike,
  '0018-request-content': requestContent,
  '0019-ids-once': idsOnce,
  '0020-more-ids-once': moreIdsOnce,
  '0021-question-search': questionSearch,
  '0022-leave-and-meetings': leaveAndMeetings,
  '0023-pinned-comments': pinnedComments,
  '0024-folded-letters': foldedLetters,
  '0025-roll-calls': rollCalls,
  '0026-names-by-sound': namesBySound,
  '0027-homework-reminders': homeworkReminders,
  '0028-more-names-by-sound': moreNamesBySound,
  '0029-administrators': administrators,
  '0030-drafts-kept': draftsKept,
  '0031-students': students,
  '0032-catalogues': catalogues,
  '0033-courses': courses,
  '0034-class-administration': classAdministration,
  '0035-composed-exams': composedExams,
  '0036-decisions': decisions,
  '0037-second-factor-and-settings': secondFactorAndSettings,
  '0038-read-by-index': readByIndex,
  '0039-imports': imports,
  '0040-idle-imports': idleImports,
  '0045-learners': learners,
  '0046-webhooks': webhooks,
  '0047-terms': terms,
  '0048-import-files': importFiles,
  '0050-own-imports': ownImports,
  '0053-watched-imports': watchedImports,
  '0055-roster-clients': rosterClients,
  '0057-learner-codes': learnerCodes,
  '0060-backups': backups,
  '0062-erased-students': erasedStudents,
  '0064-identity': identity,
  '0066-attempts-and-processes': attemptsAndProcesses,
  '0067-background-jobs': backgroundJobs,
  '0068-terms-in-order': termsInOrder,
  '0069-read-again': readAgain,
  '0070-schools-of-records': schoolsOfRecords,
  '0071-school-years': schoolYears,
  '0074-identities-and-reports': identitiesAndReports,
  '0075-leaving': leaving,
  '0076-found-where-it-is': foundWhereItIs,
  '0077-reports-in-years': reportsInYears,
  '0080-questions-of-points': questionsOfPoints,
  '0081-decided-handouts': decidedHandouts,
  '0101-versions-of-exam-answers': versionsOfExamAnswers,
  '0102-right-answers-of-homework': rightAnswersOfHomework,
  '0111-blank-judgments': blankJudgments,
  '0121-plain-names': plainNames,
  '0151-owned-sources': ownedSources,
  '0181-graded-papers': gradedPapers,
  '0190-case-of-blanks': caseOfBlanks,
  '0191-draft-facts': draftFacts,
  '0192-exam-blank-judgments': examBlankJudgments,
};

/** Which migrations this version knows and the database has not had, and which it has had that this version knows not of. */
export async function migrationState(
  db: Database,
): Promise<{ latest: string; at: number; pending: string[]; newer: string[] }> {
  const done = await migrationsDone(db);
  const known = Object.keys(migrations);
  const names = done.map(({ name }) => name);
  const last = done.at(-1);
  return {
    latest: last?.name ?? '',
    at: last?.at ?? 0,
    pending: known.filter((name) => !names.includes(name)),
    newer: names.filter((name) => !known.includes(name)),
  };
}

/**
 * Up to `last`, or to the newest; afterwards every table can be read and `trial`, which is given the transaction, has not
 * thrown, or all is as it was.
 */
export async function migrate(
  database: OpenDatabase,
  last?: string,
  trial?: (db: Database) => Promise<void>,
): Promise<void> {
  const { done } = await stateOfSchema(database);
  await runMigrations(database, migrations, {
    last,
    check: last
      ? undefined
      : async (db) => {
          if (done.length === 0) await makeFirstIndexes(db, database.engine, laterIndexes);
          await everyTableIsThere(db);
          await trial?.(db);
        },
  });
}

/** What this version reads has the columns that it reads: whatever is missing is told by the database. */
async function everyTableIsThere(db: Database): Promise<void> {
  for (const table of Object.keys(ownerOf)) await sql`select * from ${sql.table(table)} limit 1`.execute(db);
}

export const stateOfSchema = (database: OpenDatabase): Promise<SchemaState> => schemaState(database, migrations);

/** The migrations that this version knows, in their order. */
export const knownMigrations: readonly string[] = Object.keys(migrations);

/** What is told where a newer version has migrated the database. */
export const newerSchema = (unknown: readonly string[]): string =>
  `The database was migrated by a newer version of this product (${unknown.at(-1)}), which this one does not know: run that version, or restore a backup from before it.`;

/**
 * Commands work on a database of this version and migrate none: the sentence for any other one. Starting the server
 * migrates it, and so does `npm run migrate`.
 */
export async function schemaFault(database: OpenDatabase): Promise<string | undefined> {
  const { done, toDo, unknown } = await stateOfSchema(database);
  if (unknown.length > 0) return newerSchema(unknown);
  if (done.length === 0) return 'There is no school in this database yet: npm start or npm run migrate prepares it.';
  return toDo.length === 0
    ? undefined
    : `The database is of an older version of this product (${toDo.length} migrations are to be run, from ${toDo[0]} on): npm start or npm run migrate does that.`;
}
