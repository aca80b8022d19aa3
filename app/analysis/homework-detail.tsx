/** HomeworkDetail and ClassesHomeworkDetail: one homework, over all classes or in one. */
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import type { Route } from './+types/homework-detail';
import { detailCrumbs } from './crumbs.ts';
import {
  loadAnalysis,
  loadDetail,
  loadDistribution,
  loadSubmissions,
  loadTranscript,
  makeFile,
} from './detail.server.ts';
import { DetailScreen } from './detail-screen.tsx';
import { Distribution } from './distribution.tsx';
import { QuestionAnalysis } from './question-analysis.tsx';
import { Submissions } from './submissions.tsx';
import { Transcript } from './transcript.tsx';

export const handle: ScreenHandle = { crumbs: detailCrumbs };

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titled(loaderData?.detail.header.homework_name ?? '作业详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  const detail = await loadDetail(context, url);
  const { tab } = detail;
  if (tab === 1) return { tab, detail, shown: await loadAnalysis(context, url, detail) } as const;
  if (tab === 2) return { tab, detail, shown: await loadTranscript(context, url, detail) } as const;
  if (tab === 3) return { tab, detail, shown: await loadDistribution(context, detail) } as const;
  return { tab, detail, shown: await loadSubmissions(context, url, detail) } as const;
}

export const action = ({ request, context, url }: Route.ActionArgs) => makeFile(context, request, url);

export default function HomeworkDetail({ loaderData }: Route.ComponentProps) {
  const { detail } = loaderData;
  return (
    <DetailScreen detail={detail}>
      {loaderData.tab === 0 && loaderData.shown && <Submissions detail={detail} loaded={loaderData.shown} />}
      {loaderData.tab === 1 && loaderData.shown && <QuestionAnalysis detail={detail} rows={loaderData.shown} />}
      {loaderData.tab === 2 && loaderData.shown && <Transcript detail={detail} loaded={loaderData.shown} />}
      {loaderData.tab === 3 && loaderData.shown && <Distribution detail={detail} summary={loaderData.shown} />}
    </DetailScreen>
  );
}
