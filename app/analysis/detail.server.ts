/** What the views of HomeworkDetail load: the header, and what the chosen tab shows. */
import { data, type RouterContextProvider, redirect } from 'react-router';
import {
  AnalysisOrder,
  ArrangedSubmissionFilter,
  absentStudents,
  arrangedHomeworkHeader,
  arrangedSubmissions,
  classHomeworkHeader,
  classSubmissions,
  distributionStudents,
  downloadHomework,
  exportTranscripts,
  gradeDistribution,
  type HomeworkHeader,
  homeworkHeader,
  homeworkSubmissions,
  questionAnalysis,
  SubmissionFilter,
  TranscriptFilter,
  transcriptSummary,
  transcripts,
} from '#server/analysis/contract.ts';
import { homeworkButtons } from '#server/homework/contract.ts';
import { type ApiClient, api } from '../api.server.ts';
import { readSearch } from '../lib/search.ts';
import { readMoment } from '../lib/zoned.ts';
import { getSession } from '../shell/session.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import type { Place } from './address.ts';
import { hasFigures } from './header-rules.ts';
import { placeOf, tabOf, viewOf } from './place.server.ts';

type Context = Readonly<RouterContextProvider>;

/** The header with what may be done; `now` in unix seconds of this server. */
export async function loadDetail(context: Context, url: URL) {
  const client = context.get(api);
  const place = placeOf(url);
  const { permissions, settings } = signedInPerson(context);
  const [header, buttons] = await Promise.all([
    loadHeader(client, place),
    place.classId === 0 ? client.send(homeworkButtons, { params: { id: place.hwId } }) : undefined,
  ]);
  const tab = tabOf(url);
  return {
    place,
    tab,
    view: viewOf(url, tab),
    ...header,
    buttons,
    identity: client.identity,
    may: { correct: permissions.includes('correct'), dispatch: permissions.includes('dispatch') },
    timezone: settings.timezone,
    now: Math.floor(Date.now() / 1000),
    search: url.search,
  };
}
export type Detail = Awaited<ReturnType<typeof loadDetail>>;

async function loadHeader(client: ApiClient, { hwId, classId, arranged }: Place) {
  const inClass = async () =>
    classId === 0 ? undefined : client.send(classHomeworkHeader, { params: { hwId, classId } });
  if (arranged) {
    const { arrangeData, ...header } = await client.send(arrangedHomeworkHeader, { params: { hwId } });
    return { header: (await inClass()) ?? (header as HomeworkHeader), arrangeData };
  }
  const ofClass = await inClass();
  if (ofClass) return { header: ofClass, arrangeData: null };
  return { header: (await client.send(homeworkHeader, { params: { hwId } })) as HomeworkHeader, arrangeData: null };
}

const scopeParams = ({ hwId, classId }: Place) => ({ hwId, classId: classId || '' });

/** The list of the submission details, by the form that its address has. */
export async function loadSubmissions(context: Context, url: URL, { place, header, timezone }: Detail) {
  if (header.status === 2) return null;
  const client = context.get(api);
  const { hwId, classId } = place;
  if (place.arranged) {
    const moments = momentsOf(url, timezone);
    const filter = { ...readSearch(ArrangedSubmissionFilter, url.searchParams), ...moments };
    const page = await client.send(arrangedSubmissions, { params: { hwId }, query: filter });
    return { page, filter, absent: undefined };
  }
  const filter = readSearch(SubmissionFilter, url.searchParams);
  if (classId === 0) {
    return { page: await client.send(homeworkSubmissions, { params: { hwId }, query: filter }), filter };
  }
  const [page, absent] = await Promise.all([
    client.send(classSubmissions, { params: { hwId, classId }, query: { ...filter, source: '2' } }),
    client.send(absentStudents, { params: { classId } }),
  ]);
  return { page, filter, absent };
}

export async function loadAnalysis(context: Context, url: URL, detail: Detail) {
  if (!hasFigures(detail.header, detail.now)) return null;
  const order = readSearch(AnalysisOrder, url.searchParams);
  const rows = await context.get(api).send(questionAnalysis, { params: scopeParams(detail.place), query: order });
  return { order, rows };
}

export async function loadTranscript(context: Context, url: URL, detail: Detail) {
  if (!hasFigures(detail.header, detail.now)) return null;
  const client = context.get(api);
  const filter = transcriptFilter(url, detail.timezone);
  const params = scopeParams(detail.place);
  const [page, summary] = await Promise.all([
    client.send(transcripts, { params, query: filter }),
    client.send(transcriptSummary, { params }),
  ]);
  return { filter, page, summary };
}

export async function loadDistribution(context: Context, detail: Detail) {
  if (!hasFigures(detail.header, detail.now)) return null;
  return context.get(api).send(gradeDistribution, { params: scopeParams(detail.place) });
}

/** The students of the band that an address names. */
export async function loadBand(context: Context, url: URL, place: Place) {
  const client = context.get(api);
  const params = scopeParams(place);
  const [min, max] = [url.searchParams.get('min') ?? '', url.searchParams.get('max') ?? ''];
  const [summary, students] = await Promise.all([
    client.send(gradeDistribution, { params }),
    client.send(distributionStudents, { params, query: { min, max } }),
  ]);
  return { summary, students };
}

const transcriptFilter = (url: URL, timezone: string) => ({
  ...readSearch(TranscriptFilter, url.searchParams),
  ...momentsOf(url, timezone),
});

/** Unix seconds of `start_at` and `end_at`, which a form sends as a date field has them. */
const momentsOf = (url: URL, timezone: string) => ({
  start_at: readMoment(url.searchParams.get('start_at'), timezone),
  end_at: readMoment(url.searchParams.get('end_at'), timezone, true),
});

/** 导出 and 下载作业: on to the file, or back with the sentence that says why there is none. */
export async function makeFile(context: Context, request: Request, url: URL) {
  const client = context.get(api);
  const place = placeOf(url);
  const wanted = (await request.formData()).get('make');
  if (wanted !== 'transcript' && wanted !== 'paper') throw data({ msg: '请求格式不正确' }, { status: 400 });
  const { timezone } = signedInPerson(context).settings;
  const outcome =
    wanted === 'paper'
      ? await client.ask(downloadHomework, { params: { hwId: place.hwId } })
      : await client.ask(exportTranscripts, { params: scopeParams(place), query: transcriptFilter(url, timezone) });
  if (outcome.ok) throw redirect(outcome.data.url);
  getSession(context).flash('flash', { kind: 'warning', msg: outcome.msg });
  throw redirect(url.pathname + url.search);
}
