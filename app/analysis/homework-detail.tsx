/** HomeworkDetail and ClassesHomeworkDetail: one homework, in all classes or in one. */
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/homework-detail';
import { detailCrumbs } from './crumbs.ts';
import { loadDetail, loadTab, redirectToExport } from './detail.server.ts';
import { DetailScreen } from './detail-screen.tsx';
import { Distribution } from './distribution.tsx';
import { QuestionAnalysis } from './question-analysis.tsx';
import { Submissions } from './submissions.tsx';
import { detailTabNames } from './terms.ts';
import { Transcript } from './transcript.tsx';

export const handle: ScreenHandle = { crumbs: detailCrumbs };

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? titleMeta(detailTabNames[loaderData.detail.tab], loaderData.detail.header.homework_name)
    : titleMeta('作业详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  const detail = await loadDetail(context, url);
  return { detail, shown: await loadTab(context, url, detail) };
}

export const action = ({ request, context, url }: Route.ActionArgs) => redirectToExport(context, request, url);

export default function HomeworkDetail({ loaderData }: Route.ComponentProps) {
  const { detail, shown } = loaderData;
  return (
    <DetailScreen detail={detail}>
      {shown.tab === 0 && shown.loaded && <Submissions detail={detail} loaded={shown.loaded} />}
      {shown.tab === 1 && shown.rows && <QuestionAnalysis detail={detail} rows={shown.rows} />}
      {shown.tab === 2 && shown.loaded && <Transcript detail={detail} loaded={shown.loaded} />}
      {shown.tab === 3 && shown.summary && <Distribution detail={detail} summary={shown.summary} />}
    </DetailScreen>
  );
}
