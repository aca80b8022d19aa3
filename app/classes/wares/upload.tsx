/** Adds a ware to a class, or edits one of it with its file. */
import { data } from 'react-router';
import { listWareClassifies, showClassWare } from '#server/courseware/contract.ts';
import { missingWare } from '#server/courseware/rules.ts';
import { api } from '../../api/client.server.ts';
import { classPurpose, sendUpload } from '../../courseware/upload.server.ts';
import { UploadForm } from '../../courseware/upload-form.tsx';
import { done } from '../../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { classDetail, wareAdd, wareEdit } from '../screens.ts';
import type { Route } from './+types/upload';

export const handle: ScreenHandle = { hydrate: true, dialog: true };

export const meta: Route.MetaFunction = ({ params }) => titled('ware' in params ? '编辑课件' : '添加课件');

/** The page of the list that the dialog is over. */
const behind = (url: URL, ware: string | undefined) => (ware === undefined ? wareAdd : wareEdit).behind(url);

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const id = params.ware;
  const { id: classId } = classDetail.at(url);
  const [classifies, ware] = await Promise.all([
    client.send(listWareClassifies),
    id === undefined ? undefined : client.send(showClassWare, { params: { id } }),
  ]);
  if (ware && ware.class_id !== classId) throw data({ msg: missingWare }, { status: 404 });
  const { back, ...purpose } = classPurpose(classId, id === undefined ? undefined : Number(id), behind(url, id));
  const key = wareAdd.at(url).key ?? crypto.randomUUID();
  // What the upload is for stands in the address too, for the form is handed on unread.
  const own = { key, class_id: classId };
  const action = id === undefined ? wareAdd.href(back, own) : wareEdit.href(back, { ...own, ware: id });
  return { ...purpose, ware, classifies, back, key, action };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { outcome, typed } = await sendUpload(context, request, url);
  if (outcome.ok) return done(context, outcome.msg, behind(url, params.ware));
  return data({ msg: outcome.msg, errors: outcome.errors, typed }, { status: outcome.status });
}

export default function ClassWareUpload({ loaderData, actionData }: Route.ComponentProps) {
  const { ware, back, key, ...form } = loaderData;
  const kept = ware && {
    ware_name: ware.ware_name,
    ware_desc: ware.ware_desc,
    ware_type: String(ware.ware_type),
    classify_id: ware.classify_id > 0 ? String(ware.classify_id) : '',
  };
  return (
    <Dialog title={ware ? '编辑课件' : '添加课件'} closeHref={back} message={actionData?.msg} width={800}>
      <UploadForm
        {...form}
        {...(ware ? { present: ware.ware_filename } : {})}
        closeHref={back}
        idempotencyKey={key}
        typed={actionData?.typed ?? kept ?? {}}
        refused={actionData?.errors}
      />
    </Dialog>
  );
}
