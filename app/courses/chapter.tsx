/** Adds a chapter to a course, or names one anew. */

import { data } from 'react-router';
import { addChapter, listChapters, renameChapter } from '#server/courses/periods.contract.ts';
import { chapterTitleLimit, missingChapter } from '#server/courses/rules.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { Route } from './+types/chapter';
import { chapterAdd, chapterRename, courseDetail } from './screens.ts';

const titleOf = (isNew: boolean) => (isNew ? '添加章节' : '章节改名');

export const meta: Route.MetaFunction = ({ loaderData }) => titled(titleOf(loaderData?.chapter === undefined));

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addChapter);
  const chapters = await context.get(api).send(listChapters, { params: { id: courseDetail.at(url).id } });
  if (!chapterRename.isOpen(url)) return { chapter: undefined, ...chapterAdd.opened(url) };
  const chapter = chapters.find(({ id }) => id === chapterRename.at(url).chapter);
  if (!chapter) throw data({ msg: missingChapter }, { status: 404 });
  return { chapter, ...chapterRename.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const isNew = !chapterRename.isOpen(url);
  const next = isNew ? chapterAdd.behind(url) : chapterRename.behind(url);
  return takeEdit<unknown>(sent, next, (client, idempotencyKey, form) =>
    isNew
      ? client.ask(addChapter, {
          params: { id: courseDetail.at(url).id },
          body: readForm(addChapter, form),
          idempotencyKey,
        })
      : client.ask(renameChapter, {
          params: { id: chapterRename.at(url).chapter },
          body: readForm(renameChapter, form),
          idempotencyKey,
        }),
  );
};

const { DialogForm, TextField } = formOf<typeof renameChapter>();

export default function Chapter({ loaderData, actionData }: Route.ComponentProps) {
  const { chapter, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title={titleOf(chapter === undefined)} closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ title: chapter?.title, seen: chapter?.seen }}
        submit="保存"
      >
        <HiddenField name="seen" />
        <TextField name="title" label="章节名称" withAsterisk limit={chapterTitleLimit} autoComplete="off" />
      </DialogForm>
    </Dialog>
  );
}
