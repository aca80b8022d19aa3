import { deleteChapter, listChapters } from '#server/courses/periods.contract.ts';
import { deleteChapterFault, missingChapter } from '#server/courses/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/chapter-delete';
import { chapterDelete, courseDetail } from './screens.ts';

const dialog = confirmDialog({ verb: '删除', kind: '章节', question: '确定删除该章节吗？' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, deleteChapter);
  const chapters = await context.get(api).send(listChapters, { params: { id: courseDetail.at(url).id } });
  const chapter = chapters.find(({ id }) => id === chapterDelete.at(url).chapter);
  mustBeAllowed(context, chapter ? deleteChapterFault(chapter) : { code: 404, msg: missingChapter });
  return { name: chapter?.title ?? '', ...chapterDelete.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, chapterDelete.behind(url), (client, idempotencyKey) =>
    client.ask(deleteChapter, { params: { id: chapterDelete.at(url).chapter }, idempotencyKey }),
  );

export default dialog.Confirm;
