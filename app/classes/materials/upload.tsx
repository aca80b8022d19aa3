/** Adds a ware to a class, or edits one of it with its file. */
import { data } from 'react-router';
import { listWareClassifies, showClassWare } from '#server/courseware/contract.ts';
import { missingWare } from '#server/courseware/rules.ts';
import { api } from '../../api/client.server.ts';
import { withOwn } from '../../courseware/material-fields.tsx';
import { classPurpose, sendTo, sendUpload } from '../../courseware/upload.server.ts';
import { UploadForm } from '../../courseware/upload-form.tsx';
import { ended } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Hydrated } from '../../ui/hydrated.tsx';
import { classDetail, classWareAdd, classWareEdit } from '../screens.ts';
import type { Route } from './+types/upload';

export const meta: Route.MetaFunction = ({ loaderData }) => titled(loaderData?.ware ? '编辑课件' : '添加课件');

const dialogOf = (url: URL) => (classWareEdit.isOpen(url) ? classWareEdit : classWareAdd);

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const id = classWareEdit.isOpen(url) ? classWareEdit.at(url).ware : undefined;
  const { id: classId } = classDetail.at(url);
  const [classifies, ware] = await Promise.all([
    client.send(listWareClassifies),
    id === undefined ? undefined : client.send(showClassWare, { params: { id } }),
  ]);
  if (ware && ware.class_id !== classId) throw data({ msg: missingWare }, { status: 404 });
  const { closeHref, idempotencyKey } = dialogOf(url).opened(url);
  const key = classWareAdd.at(url).key ?? idempotencyKey;
  // What the upload is for stands in the address too, for the form is handed on unread.
  const own = { key, class_id: classId };
  const action =
    id === undefined ? classWareAdd.href(closeHref, own) : classWareEdit.href(closeHref, { ...own, ware: id });
  const purpose = classPurpose(classId, id);
  return { ...purpose, ware, classifies, closeHref, sendTo: sendTo(purpose, key, closeHref), action };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { outcome, typed } = await sendUpload(context, request, url);
  return ended(context, outcome, dialogOf(url).behind(url), typed);
}

export default function ClassWareUpload({ loaderData, actionData }: Route.ComponentProps) {
  const { ware, classifies: offered, ...sent } = loaderData;
  const { classify_id: id, classify_name } = ware ?? { classify_id: 0, classify_name: '' };
  const form = { ...sent, classifies: withOwn(offered, { id, classify_name }) };
  const kept = ware && {
    ware_name: ware.ware_name,
    ware_desc: ware.ware_desc,
    ware_type: ware.ware_type,
    classify_id: ware.classify_id || '',
  };
  return (
    <Dialog title={ware ? '编辑课件' : '添加课件'} closeHref={form.closeHref} width={800}>
      <Hydrated
        name="upload-form.island"
        component={UploadForm}
        props={{ ...form, present: ware?.ware_filename, kept, refused: actionData }}
      />
    </Dialog>
  );
}
