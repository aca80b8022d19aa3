/** Loads the views of HomeworkDetail: the header and the chosen tab. */
import {
  absentStudents,
  arrangedHomeworkHeader,
  arrangedSubmissions,
  classHomeworkHeader,
  classSubmissions,
  type HomeworkHeader,
  homeworkHeader,
  homeworkSubmissions,
} from '#server/analysis/contract.ts';
import { downloadHomework, questionAnalysis } from '#server/analysis/question.contract.ts';
import {
  distributionStudents,
  exportTranscripts,
  gradeDistribution,
  transcriptSummary,
  transcripts,
} from '#server/analysis/transcript.contract.ts';
import { homeworkButtons } from '#server/homework/contract.ts';
import { hasFigures } from '#server/homework/rules.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { readMoment } from '../lib/zoned.ts';
import { readButton, readPostedForm, redirectToFile } from '../shell/form-action.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import {
  bandStudents,
  type DetailPlace,
  detailScreens,
  questionAnalysisList,
  type Scope,
  submissions,
  transcript,
  withDefaultOrder,
} from './screens.ts';

/** Loads the header, and the actions that the user may take. */
export async function loadDetail(context: RequestContext, url: URL) {
  const client = context.get(api);
  const { tab, view, ...place } = detailScreens.at(url);
  const { permissions, settings } = signedInPerson(context);
  const [header, buttons] = await Promise.all([
    loadHeader(client, place),
    place.class_id === 0 ? client.send(homeworkButtons, { params: { id: place.hw_id } }) : undefined,
  ]);
  return {
    place,
    tab,
    view: viewOf(tab, view),
    ...header,
    buttons,
    identity: client.identity,
    may: { correct: permissions.includes('correct'), dispatch: permissions.includes('dispatch') },
    timezone: settings.timezone,
    now: client.now(),
    here: detailScreens.here(url),
  };
}

export type Detail = Awaited<ReturnType<typeof loadDetail>>;

/**
 * Returns the view, or 'list' if the tab does not offer that view: only question analysis and transcript have a grid,
 * only the distribution has a chart.
 */
function viewOf(tab: DetailPlace['tab'], view: DetailPlace['view']): DetailPlace['view'] {
  const offered = tab === 1 || tab === 2 ? 'grid' : tab === 3 ? 'chart' : 'list';
  return view === offered ? view : 'list';
}

async function loadHeader(client: ApiClient, { hw_id: hwId, class_id: classId, from }: Scope) {
  const inClass = async () =>
    classId === 0 ? undefined : client.send(classHomeworkHeader, { params: { hwId, classId } });
  if (from) {
    const { arrangeData, ...header } = await client.send(arrangedHomeworkHeader, { params: { hwId } });
    return { header: (await inClass()) ?? (header as HomeworkHeader), arrangeData };
  }
  const ofClass = await inClass();
  if (ofClass) return { header: ofClass, arrangeData: null };
  return { header: (await client.send(homeworkHeader, { params: { hwId } })) as HomeworkHeader, arrangeData: null };
}

const scopeParams = ({ hw_id, class_id }: Scope) => ({ hwId: hw_id, classId: class_id || '' });

/** Loads the chosen tab. Loads nothing if the homework has no figures. */
export async function loadTab(context: RequestContext, url: URL, detail: Detail) {
  const { tab } = detail;
  if (tab === 1) return { tab, rows: await loadAnalysis(context, url, detail) };
  if (tab === 2) return { tab, loaded: await loadTranscript(context, url, detail) };
  if (tab === 3) return { tab, summary: await loadDistribution(context, detail) };
  return { tab, loaded: await loadSubmissions(context, url, detail) };
}

/** Loads the tab of submission details, with the filter of its address. */
export async function loadSubmissions(context: RequestContext, url: URL, { place, header, timezone }: Detail) {
  if (header.status === 2) return null;
  const client = context.get(api);
  const { hw_id: hwId, class_id: classId } = place;
  const { filter } = submissions.at(url);
  if (place.from) {
    const query = { ...filter, ...momentsOf(filter, timezone) };
    return { page: await client.send(arrangedSubmissions, { params: { hwId }, query }), absent: undefined };
  }
  if (classId === 0) {
    return { page: await client.send(homeworkSubmissions, { params: { hwId }, filter }), absent: undefined };
  }
  const [page, absent] = await Promise.all([
    client.send(classSubmissions, { params: { hwId, classId }, query: { ...filter, source: '2' } }),
    client.send(absentStudents, { params: { classId } }),
  ]);
  return { page, absent };
}

async function loadAnalysis(context: RequestContext, url: URL, detail: Detail) {
  if (!hasFigures(detail.header, detail.now)) return null;
  const query = withDefaultOrder(questionAnalysisList.at(url).filter);
  return context.get(api).send(questionAnalysis, { params: scopeParams(detail.place), query });
}

export async function loadTranscript(context: RequestContext, url: URL, detail: Detail) {
  if (!hasFigures(detail.header, detail.now)) return null;
  const client = context.get(api);
  const params = scopeParams(detail.place);
  const [page, summary] = await Promise.all([
    client.send(transcripts, { params, query: transcriptFilter(url, detail.timezone) }),
    client.send(transcriptSummary, { params }),
  ]);
  return { page, summary };
}

async function loadDistribution(context: RequestContext, detail: Detail) {
  if (!hasFigures(detail.header, detail.now)) return null;
  return context.get(api).send(gradeDistribution, { params: scopeParams(detail.place) });
}

export function boundsOf(url: URL) {
  const { min = '', max = '', band = '' } = bandStudents.at(url).place;
  return { min, max, band };
}

export async function loadBand(context: RequestContext, url: URL) {
  const client = context.get(api);
  const params = scopeParams(detailScreens.at(url));
  const [summary, students] = await Promise.all([
    client.send(gradeDistribution, { params }),
    client.send(distributionStudents, { params, query: boundsOf(url) }),
  ]);
  return { summary, students };
}

function transcriptFilter(url: URL, timezone: string) {
  const { filter } = transcript.at(url);
  return { ...filter, ...momentsOf(filter, timezone) };
}

/** Converts `start_at` and `end_at` from date field values to unix seconds. */
const momentsOf = (filter: { start_at?: string | undefined; end_at?: string | undefined }, timezone: string) => ({
  start_at: readMoment(filter.start_at, timezone),
  end_at: readMoment(filter.end_at, timezone, true),
});

/** Handles the buttons 导出 and 下载作业: redirects to the file, or back with the reason of a refusal. */
export async function redirectToExport(context: RequestContext, request: Request, url: URL) {
  const client = context.get(api);
  const place = detailScreens.at(url);
  const [file] = readButton(await readPostedForm(request, context), 'transcript', 'paper');
  const { timezone } = signedInPerson(context).settings;
  const outcome =
    file === 'paper'
      ? await client.ask(downloadHomework, { params: { hwId: place.hw_id } })
      : await client.ask(exportTranscripts, { params: scopeParams(place), query: transcriptFilter(url, timezone) });
  return redirectToFile(context, outcome, url);
}
