/** Dialog that uploads courseware to a class, or edits one of the class's files. */
import { data } from 'react-router';
import { listMaterialClassifies, showClassMaterial } from '#server/courseware/contract.ts';
import { missingMaterial } from '#server/courseware/rules.ts';
import { api } from '../../api/client.server.ts';
import { withOwnCategory } from '../../courseware/material-fields.tsx';
import { classPurpose, forwardUpload, uploadAddress } from '../../courseware/upload.server.ts';
import { UploadForm } from '../../courseware/upload-form.tsx';
import { finishForm } from '../../shell/form-action.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Hydrated } from '../../ui/hydrated.tsx';
import { classDetail, classMaterialAdd, classMaterialEdit } from '../screens.ts';
import type { Route } from './+types/upload';

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.ware ? '编辑课件' : '添加课件');

const dialogOf = (url: URL) => (classMaterialEdit.isOpen(url) ? classMaterialEdit : classMaterialAdd);

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const id = classMaterialEdit.isOpen(url) ? classMaterialEdit.at(url).ware : undefined;
  const { id: classId } = classDetail.at(url);
  const [classifies, material] = await Promise.all([
    client.send(listMaterialClassifies),
    id === undefined ? undefined : client.send(showClassMaterial, { params: { id } }),
  ]);
  if (material && material.class_id !== classId) throw data({ msg: missingMaterial }, { status: 404 });
  const { closeHref, idempotencyKey } = dialogOf(url).opened(url);
  const key = classMaterialAdd.at(url).key ?? idempotencyKey;
  // Key and class are in the address, because the body is forwarded to the API without being parsed.
  const own = { key, class_id: classId };
  const action =
    id === undefined ? classMaterialAdd.href(closeHref, own) : classMaterialEdit.href(closeHref, { ...own, ware: id });
  const purpose = classPurpose(classId, id);
  return { ...purpose, ware: material, classifies, closeHref, sendTo: uploadAddress(purpose, key, closeHref), action };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { outcome, typed } = await forwardUpload(context, request, url);
  return finishForm(context, outcome, dialogOf(url).behind(url), typed);
}

export default function ClassMaterialUpload({ loaderData, actionData }: Route.ComponentProps) {
  const { ware: material, classifies: offered, ...sent } = loaderData;
  const { classify_id: id, classify_name } = material ?? { classify_id: 0, classify_name: '' };
  const form = { ...sent, classifies: withOwnCategory(offered, { id, classify_name }) };
  const kept = material && {
    ware_name: material.ware_name,
    ware_desc: material.ware_desc,
    ware_type: material.ware_type,
    classify_id: material.classify_id || '',
  };
  return (
    <Dialog title={material ? '编辑课件' : '添加课件'} closeHref={form.closeHref} width={800}>
      <Hydrated
        name="upload-form.island"
        component={UploadForm}
        props={{ ...form, present: material?.ware_filename, kept, refused: actionData }}
      />
    </Dialog>
  );
}
