import { data } from 'react-router';
import { listChapters, renameChapter } from '#server/courses/chapters.contract.ts';
import { chapterTitleLimit, missingChapter } from '#server/courses/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { chapterRename, courseDetail } from './screens.ts';

const dialog = formDialog({
  call: renameChapter,
  at: chapterRename,
  params: (url) => ({ id: chapterRename.at(url).chapter }),
  title: '章节改名',
  submit: '保存',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, url }) => {
  const chapters = await client.send(listChapters, { params: { id: courseDetail.at(url).id } });
  const chapter = chapters.find(({ id }) => id === chapterRename.at(url).chapter);
  if (!chapter) throw data({ msg: missingChapter }, { status: 404 });
  return { values: { title: chapter.title, seen: chapter.seen } };
});

export const action = dialogAction(dialog);

export default dialog.page(({ TextField }) => (
  <TextField name="title" label="章节名称" withAsterisk limit={chapterTitleLimit} autoComplete="off" />
));
