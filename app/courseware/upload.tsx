/** Upload dialog, over the library or over a lesson's courseware. */
import { listMaterialClassifies } from '#server/courseware/contract.ts';
import { showSession } from '#server/sessions/contract.ts';
import { materialFault } from '#server/sessions/rules.ts';
import { api } from '../api/client.server.ts';
import { finishForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Hydrated } from '../ui/hydrated.tsx';
import type { Route } from './+types/upload';
import { materialUpload } from './screens.ts';
import { forwardUpload, uploadAddress, uploadPurpose } from './upload.server.ts';
import { UploadForm } from './upload-form.tsx';

export const meta: Route.MetaFunction = () => titleMeta('上传课件');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const purpose = uploadPurpose(url);
  if (purpose.place === 'lesson') {
    const lesson = await client.send(showSession, { params: { id: purpose.of.times_id ?? 0 } });
    requireAllowed(context, materialFault(lesson));
  }
  const classifies = purpose.place === 'library' ? await client.send(listMaterialClassifies) : [];
  const { closeHref: behind, idempotencyKey } = materialUpload.opened(url);
  const key = materialUpload.at(url).key ?? idempotencyKey;
  const { back, ...form } = purpose;
  // Closes to the library without its filters, so that the new file is visible.
  const closeHref = form.place === 'library' ? behind : back;
  return {
    ...form,
    classifies,
    action: materialUpload.href(behind, { key }),
    sendTo: uploadAddress(form, key, closeHref),
    closeHref,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { outcome, typed } = await forwardUpload(context, request, url);
  return finishForm(context, outcome, uploadPurpose(url).back, typed);
}

export default function UploadCourseware({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <Dialog title="上传课件" closeHref={loaderData.closeHref} width={800}>
      <Hydrated name="upload-form.island" component={UploadForm} props={{ ...loaderData, refused: actionData }} />
    </Dialog>
  );
}
