/** Students and tasks of a run; taken from the school's database by default. */
import { isDemoSchool } from '#server/demo/accounts.ts';
import { examState } from '#server/exams/rules.ts';
import { hasEnded } from '#server/homework/rules.ts';
import { issueServiceToken, revokeServiceToken } from '#server/platform/auth/service-token.ts';
import type { Database } from '#server/platform/db/engine.ts';

export interface Scene {
  /** Token of the application. */
  token: string;
  /** Students who take the exam. */
  exam: { id: number; uids: number[] } | undefined;
  /** Students who do the homework. */
  homework: { id: number; uids: number[] } | undefined;
  /** Removes the records made for the run. */
  end(): Promise<void>;
}

export interface Wishes {
  students: number;
  token?: string | undefined;
  examId?: number | undefined;
  homeworkId?: number | undefined;
  /** Unix seconds. */
  now: number;
}

/** Maximum number of rows in one statement. */
const chunk = 500;
const notStarted = 1;

/**
 * Creates a token, chooses an open exam that can be repeated and adds missing students. For demo schools only. Errors
 * are sentences.
 */
export async function findScene(db: Database, wishes: Wishes): Promise<Scene | { wrong: string }> {
  const { students, homeworkId, now } = wishes;
  const isDemo = await isDemoSchool(db);
  if (!isDemo && !(wishes.token && (wishes.examId || homeworkId))) {
    return { wrong: 'This is no demo school: --token and --exam or --homework are needed.' };
  }
  const examId = wishes.examId ?? (homeworkId ? undefined : await anyExam(db, now));
  if (!examId && !homeworkId) return { wrong: 'There is no exam that goes on without end: name one by --exam.' };
  const exam = examId ? await db.selectFrom('exam').selectAll().where('id', '=', examId).executeTakeFirst() : undefined;
  if (examId && !(exam && examState(exam, now) === 'running')) return { wrong: `Exam ${examId} does not go on.` };
  const found = exam && (await studentsOf(db, exam, students));
  const missing = exam && found && isDemo ? students - found.length : 0;
  if (exam && missing > 0) found?.push(...(await addStudents(db, exam.school_id, missing, now)));
  const homework = homeworkId ? await studentsWithHomework(db, homeworkId, students, now) : undefined;
  if (homeworkId && homework?.length === 0) return { wrong: `Nobody is to hand in homework ${homeworkId}.` };
  const issued = wishes.token ? undefined : await issueServiceToken(db, { name: '学员演练', now });
  return {
    token: wishes.token ?? issued?.token ?? '',
    exam: exam && found && { id: exam.id, uids: found },
    homework: homeworkId && homework ? { id: homeworkId, uids: homework } : undefined,
    async end() {
      if (issued) await revokeServiceToken(db, issued.id, now);
    },
  };
}

/** Returns the open exam with the most questions. */
async function anyExam(db: Database, now: number): Promise<number | undefined> {
  const exams = await db
    .selectFrom('exam')
    .select(['id', 'status', 'start_at', 'end_at'])
    .where('attempts', '=', 0)
    .where((eb) => eb.or([eb('limit_time', '=', 0), eb('limit_time', '>=', 1800)]))
    .orderBy('ques_num', 'desc')
    .orderBy('id')
    .execute();
  return exams.find((exam) => examState(exam, now) === 'running')?.id;
}

/** Returns students who may take the exam and have no open attempt. */
async function studentsOf(
  db: Database,
  { id, school_id, attempts }: { id: number; school_id: number; attempts: number },
  most: number,
): Promise<number[]> {
  const shared = db.selectFrom('exam_school').select('exam_school.school_id').where('exam_id', '=', id);
  const busy = db
    .selectFrom('exam_attempt')
    .select('student_id')
    .where('exam_id', '=', id)
    .where('handed_in_at', 'is', null);
  const finished = db
    .selectFrom('exam_report')
    .select('student_id')
    .where('exam_id', '=', id)
    .groupBy('student_id')
    .having((eb) => eb(eb.fn.countAll(), '>=', attempts));
  const rows = await db
    .selectFrom('student')
    .select('id')
    .where((eb) => eb.or([eb('school_id', '=', school_id), eb('school_id', 'in', shared)]))
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('id', 'not in', busy)
    .$if(attempts > 0, (query) => query.where('id', 'not in', finished))
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map((row) => row.id);
}

/** Creates students without a class. */
export async function addStudents(db: Database, schoolId: number, count: number, now: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const some = Array.from({ length: Math.min(chunk, count - ids.length) }, (_, place) => ({
      nickname: `演练学员${ids.length + place + 1}`,
      school_id: schoolId,
      created_at: now,
      disabled_at: null,
      deleted_at: null,
    }));
    const rows = await db.insertInto('student').values(some).returning('id').execute();
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

async function studentsWithHomework(db: Database, homeworkId: number, most: number, now: number): Promise<number[]> {
  const homework = await db.selectFrom('homework').selectAll().where('id', '=', homeworkId).executeTakeFirst();
  if (homework?.status !== 1 || hasEnded(homework, now)) return [];
  const rows = await db
    .selectFrom('report')
    .innerJoin('student', 'student.id', 'report.student_id')
    .select('report.student_id')
    .where('report.homework_id', '=', homeworkId)
    .where('report.status', '=', notStarted)
    .where('student.disabled_at', 'is', null)
    .where('student.deleted_at', 'is', null)
    .orderBy('report.student_id')
    .limit(most)
    .execute();
  return rows.map((row) => row.student_id);
}
