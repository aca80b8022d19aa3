/** Creates the PDF of a paper and redirects to the file. */
import { redirect } from 'react-router';
import { downloadExam } from '#server/exams/paper.contract.ts';
import { paperVariants } from '#server/exams/rules.ts';
import { api } from '../api/client.server.ts';
import { answerOrErrorPage } from '../api/outcome.server.ts';
import { readButton, readPostedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import type { Route } from './+types/download';
import { examDownload, examManage, examPreview } from './screens.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '考试管理', href: examManage.href() }, { label: '下载试卷' }] };

/** A GET means that the download's tab was reloaded, so it redirects to the paper. */
export const loader = ({ url }: Route.LoaderArgs) => redirect(examPreview.href({ id: examDownload.at(url).id }));

export async function action({ request, context, url }: Route.ActionArgs) {
  const [variant] = readButton(await readPostedForm(request, context), ...paperVariants);
  const outcome = await context.get(api).ask(downloadExam, {
    params: { id: examDownload.at(url).id },
    body: { variant },
  });
  return redirect(answerOrErrorPage(outcome).data.path);
}

/**
 * The page is never shown. The address has a component only so that a refusal appears as an error page in the
 * download's tab.
 */
export default function ExamDownload() {
  return null;
}
