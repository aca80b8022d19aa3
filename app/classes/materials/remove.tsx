import { data } from 'react-router';
import { removeClassMaterial, showClassMaterial } from '#server/courseware/contract.ts';
import { missingMaterial } from '#server/courseware/rules.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { classDetail, classMaterialRemoval } from '../screens.ts';

const dialog = confirmDialog({
  call: removeClassMaterial,
  at: classMaterialRemoval,
  params: (url) => ({ id: classMaterialRemoval.at(url).ware }),
  verb: '移除',
  kind: '课件',
  question: '确定从该班级移除该课件吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, url, params }) => {
  const material = await client.send(showClassMaterial, { params });
  if (material.class_id !== classDetail.at(url).id) throw data({ msg: missingMaterial }, { status: 404 });
  return { name: material.ware_name };
});

export const action = dialogAction(dialog);

export default dialog.Page;
