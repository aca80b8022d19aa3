/** Simulates lecturers who grade on a running server without a pause, and who remember every acknowledged grade. */
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { wallClock } from '#server/school/calendar.ts';
import { addPaper, type Paper, submitHomeworkReport } from './paper.ts';
import { type EngineName, openTestSchool } from './school.ts';

export interface Scene {
  /** Location of the database, as `openDatabase` takes it. */
  location: string;
  environment: Record<string, string>;
  paper: Paper;
  reports: number[];
  token: string;
}

/** Creates a small school with reports to grade. `url` is an empty PostgreSQL database. */
export async function prepareGrading(engine: EngineName, folder: string, url?: string): Promise<Scene> {
  const location = url ?? path.join(folder, 'school.db');
  const school = await openTestSchool(engine, location, wallClock());
  if (!school) throw new Error('no school');
  const classes = [school.classes.k1, school.classes.k2, school.classes.k3];
  const paper = await addPaper(school, { creator: 'teacher', classes });
  const expected = await school.database.db
    .selectFrom('report')
    .select('student_id')
    .where('homework_id', '=', paper.homeworkId)
    .execute();
  const reports: number[] = [];
  for (const { student_id } of expected) reports.push(await submitHomeworkReport(school, paper, student_id));
  const { token } = school.people.teacher;
  await school.close();
  const environment = { VAR_DIR: folder, DEMO: '0', LOG_LEVEL: 'silent', DATABASE_URL: url ?? '' };
  return { location, environment, paper, reports, token };
}

/** Outcome of all the grades of a run. */
export interface Storm {
  /** By report: the last acknowledged score in points, and the version of the answer. */
  acknowledged: Map<number, { score: number; version: number }>;
  statuses: Map<number, number>;
  cutOff: number;
}

/**
 * Sends a grade until it is accepted. Fails on every status except 200 and 503, and if the version does not increase.
 */
export async function grade(
  { paper, token }: Scene,
  storm: Storm,
  reportId: number,
  base: () => string,
): Promise<void> {
  const known = storm.acknowledged.get(reportId);
  // Each score differs from the one before, because an unchanged score makes no new version.
  const score = ((known?.score ?? -1) + 1) % 5;
  const body = JSON.stringify({
    report_id: reportId,
    ques_id: paper.questions.essay,
    type: 2,
    user_score: score,
    version: known?.version ?? 0,
  });
  const key = crypto.randomUUID();
  const ask = async (): Promise<{ status: number; body: { data: { version: number } } }> => {
    const response = await fetch(`${base()}/api/lector/hw/review/storeQuestion`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body,
    });
    return { status: response.status, body: await response.json() };
  };
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(20)) {
    // No response, or only a part of one: the server was killed. The grade may or may not be stored.
    const answer = await ask().catch(() => undefined);
    if (!answer) {
      storm.cutOff += 1;
      continue;
    }
    storm.statuses.set(answer.status, (storm.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 503) continue;
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, expect.anything()]);
    expect(answer.body.data.version).toBe((known?.version ?? 0) + 1);
    storm.acknowledged.set(reportId, { score, version: answer.body.data.version });
    return;
  }
  throw new Error('a grade was not taken for a minute');
}
