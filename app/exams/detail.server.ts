/** Loads the page of an exam: its header and the chosen tab. */
import { ExamReportsExtra, examInfo, examReports } from '#server/exams/contract.ts';
import {
  type ExamQuestionRow,
  examQuestionStatistics,
  examStatistics,
  exportExamStudents,
  examStudents as listExamStudents,
} from '#server/exams/statistics.contract.ts';
import { api } from '../api/client.server.ts';
import { withExtra } from '../api/with-extra.server.ts';
import { readMoment } from '../lib/zoned.ts';
import { readButton, readPostedForm, redirectToFile } from '../shell/form-action.server.ts';
import type { FormRequest, RequestContext } from '../shell/form-request.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { examDetail, examPapers, examQuestions, examStudents } from './screens.ts';

export async function loadDetail(context: RequestContext, url: URL) {
  const client = context.get(api);
  const { permissions, settings } = signedInPerson(context);
  const { id } = examDetail.at(url);
  const [exam, shown] = await Promise.all([
    client.send(examInfo, { params: { id } }),
    loadTab(context, url, settings.timezone),
  ]);
  return { exam, shown, mayCorrect: permissions.includes('correct'), timezone: settings.timezone };
}
export type Detail = Awaited<ReturnType<typeof loadDetail>>;
export type TabData<Tab extends Detail['shown']['tab']> = Extract<Detail['shown'], { tab: Tab }>;

async function loadTab(context: RequestContext, url: URL, timezone: string) {
  const client = context.get(api);
  const { id, tab, view } = examDetail.at(url);
  const params = { id };
  if (tab === 'score') return { tab, view, ...(await client.send(examStatistics, { params })) };
  if (tab === 'question') {
    const { list, ...byType } = await client.send(examQuestionStatistics, { params });
    return { tab, ...byType, list: sortRows(list, examQuestions.at(url).filter) };
  }
  if (tab === 'student') {
    // The schools for the filter come with the list of reports, so one report is loaded.
    const [students, papers] = await Promise.all([
      client.send(listExamStudents, { body: studentFilter(url) }),
      client.ask(examReports, { params, query: { limit: 1 } }),
    ]);
    return { tab, students, schools: withExtra(papers, ExamReportsExtra).extra.user_school_list };
  }
  const { filter } = examPapers.at(url);
  const query = {
    ...filter,
    start_at: readMoment(filter.start_at, timezone),
    end_at: readMoment(filter.end_at, timezone, true),
  };
  const outcome = await client.ask(examReports, { params, query });
  const { data: papers, extra } = withExtra(outcome, ExamReportsExtra);
  return { tab, papers, schools: extra.user_school_list };
}

/** Sorts the questions; the API always returns all of them in the order of the paper. */
function sortRows(list: ExamQuestionRow[], { sort_field, sort }: ReturnType<typeof examQuestions.at>['filter']) {
  if (sort_field === undefined) return list;
  const ordered =
    sort_field === 'sort' ? [...list] : list.toSorted((one, other) => one[sort_field] - other[sort_field]);
  return sort === 'asc' ? ordered : ordered.reverse();
}

function studentFilter(url: URL) {
  const { filter, place } = examStudents.at(url);
  return { ...filter, test_id: place.id };
}

/** Handles the button 导出: redirects to the file, or back with the reason of a refusal. */
export async function exportStudents({ request, context, url }: FormRequest) {
  readButton(await readPostedForm(request, context), 'export');
  const outcome = await context.get(api).ask(exportExamStudents, { body: studentFilter(url) });
  return redirectToFile(context, outcome, url);
}
