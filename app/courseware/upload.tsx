/**
 * The upload dialog (document 1, section 5; 800 wide): over the library `/courseware/upload`, over a lesson
 * `/courseware/lesson/upload?times_id=&times_type=&return=`.
 */
import { data } from 'react-router';
import { listWareClassifies } from '#server/courseware/contract.ts';
import { api } from '../api.server.ts';
import { searchOf } from '../lib/search.ts';
import { done } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Route } from './+types/upload';
import { sendUpload, uploadPurpose } from './upload.server.ts';
import { UploadForm } from './upload-form.tsx';

export const handle: ScreenHandle = { hydrate: true, dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '上传课件 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const purpose = uploadPurpose(url);
  const classifies = purpose.place === 'library' ? await context.get(api).send(listWareClassifies) : [];
  return { ...purpose, classifies, key: url.searchParams.get('key') ?? crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { outcome, typed } = await sendUpload(context.get(api), request, url);
  if (outcome.ok) return done(context, outcome.msg, uploadPurpose(url).back);
  return data({ msg: outcome.msg, errors: outcome.errors, typed }, { status: outcome.status });
}

export default function UploadCourseware({ loaderData, actionData }: Route.ComponentProps) {
  const { back, key: idempotencyKey, ...form } = loaderData;
  const { times_id } = form.fields;
  const path = times_id ? '/courseware/lesson/upload' : '/courseware/upload';
  const search = searchOf({ ...form.fields, key: idempotencyKey, ...(times_id ? { return: back } : {}) });
  return (
    <Dialog title="上传课件" closeHref={back} message={actionData?.msg} width={800}>
      <UploadForm
        {...form}
        action={path + search}
        closeHref={back}
        idempotencyKey={idempotencyKey}
        typed={actionData?.typed ?? {}}
        refused={actionData?.errors}
      />
    </Dialog>
  );
}
