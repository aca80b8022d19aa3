import { deleteChapter, listChapters } from '#server/courses/chapters.contract.ts';
import { deleteChapterFault, missingChapter } from '#server/courses/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { chapterDelete, courseDetail } from './screens.ts';

const dialog = confirmDialog({
  call: deleteChapter,
  at: chapterDelete,
  params: (url) => ({ id: chapterDelete.at(url).chapter }),
  verb: '删除',
  kind: '章节',
  question: '确定删除该章节吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, url }) => {
  const chapters = await client.send(listChapters, { params: { id: courseDetail.at(url).id } });
  const chapter = chapters.find(({ id }) => id === chapterDelete.at(url).chapter);
  return {
    name: chapter?.title ?? '',
    refusal: chapter ? deleteChapterFault(chapter) : { code: 404, msg: missingChapter },
  };
});

export const action = dialogAction(dialog);

export default dialog.Page;
