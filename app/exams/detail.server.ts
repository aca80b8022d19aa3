/** What ExamDetail loads: its header, and what the chosen tab shows. */
import { type RouterContextProvider, redirect } from 'react-router';
import {
  ExamReportFilter,
  ExamReportsExtra,
  ExamStudentFilter,
  examInfo,
  examQuestionStatistics,
  examReports,
  examStatistics,
  examStudents,
  exportExamStudents,
} from '#server/exams/contract.ts';
import { api } from '../api.server.ts';
import { readSearch } from '../lib/search.ts';
import { readMoment } from '../lib/zoned.ts';
import { getSession } from '../shell/session.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { readTab } from './address.ts';
import { withExtra } from './answered.server.ts';

type Context = Readonly<RouterContextProvider>;

/** 0, which no exam has, where the address names none. */
const idOf = (url: URL) =>
  /^\d{1,10}$/.test(url.searchParams.get('id') ?? '') ? Number(url.searchParams.get('id')) : 0;

export async function loadDetail(context: Context, url: URL) {
  const client = context.get(api);
  const { permissions, settings } = signedInPerson(context);
  const id = idOf(url);
  const [exam, shown] = await Promise.all([
    client.send(examInfo, { params: { id } }),
    loadTab(context, url, id, settings.timezone),
  ]);
  return { exam, shown, mayCorrect: permissions.includes('correct'), timezone: settings.timezone };
}
export type Detail = Awaited<ReturnType<typeof loadDetail>>;
export type Shown<Tab extends Detail['shown']['tab']> = Extract<Detail['shown'], { tab: Tab }>;

async function loadTab(context: Context, url: URL, id: number, timezone: string) {
  const client = context.get(api);
  const tab = readTab(url.searchParams.get('tab'));
  const params = { id };
  if (tab === 'score') return { tab, ...(await client.send(examStatistics, { params })) };
  if (tab === 'question') return { tab, ...(await client.send(examQuestionStatistics, { params })) };
  if (tab === 'student') {
    const filter = studentFilter(url, id);
    // The schools stand beside the papers; a page of one is asked for them.
    const [students, papers] = await Promise.all([
      client.send(examStudents, { body: filter }),
      client.ask(examReports, { params, query: { limit: 1 } }),
    ]);
    return { tab, filter, students, schools: withExtra(papers, ExamReportsExtra).extra.user_school_list };
  }
  const filter = {
    ...readSearch(ExamReportFilter, url.searchParams),
    start_at: readMoment(url.searchParams.get('start_at'), timezone),
    end_at: readMoment(url.searchParams.get('end_at'), timezone, true),
  };
  const outcome = await client.ask(examReports, { params, query: filter });
  const { data: papers, extra } = withExtra(outcome, ExamReportsExtra);
  return { tab, filter, papers, schools: extra.user_school_list };
}

const studentFilter = (url: URL, id: number) => ({ ...readSearch(ExamStudentFilter, url.searchParams), test_id: id });

/** 导出: on to the file, or back with the sentence that says why there is none. */
export async function exportStudents(context: Context, url: URL) {
  const outcome = await context.get(api).ask(exportExamStudents, { body: studentFilter(url, idOf(url)) });
  if (outcome.ok) throw redirect(outcome.data.url);
  getSession(context).flash('flash', { kind: 'warning', msg: outcome.msg });
  throw redirect(url.pathname + url.search);
}
