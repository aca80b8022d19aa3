import { addChapter, listChapters } from '#server/courses/chapters.contract.ts';
import { chapterTitleLimit } from '#server/courses/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { chapterAdd, courseDetail } from './screens.ts';

const dialog = formDialog({
  call: addChapter,
  at: chapterAdd,
  params: courseDetail.at,
  title: '添加章节',
  submit: '保存',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  await client.send(listChapters, { params });
  return {};
});

export const action = dialogAction(dialog);

export default dialog.page(({ TextField }) => (
  <TextField name="title" label="章节名称" withAsterisk limit={chapterTitleLimit} autoComplete="off" />
));
