import { data } from 'react-router';
import { removeClassWare, showClassWare } from '#server/courseware/contract.ts';
import { missingWare } from '#server/courseware/rules.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { actionOf, loaderOf } from '../../shell/form-dialog.server.ts';
import { classDetail, classWareRemoval } from '../screens.ts';

const dialog = confirmDialog({
  call: removeClassWare,
  at: classWareRemoval,
  params: (url) => ({ id: classWareRemoval.at(url).ware }),
  verb: '移除',
  kind: '课件',
  question: '确定从该班级移除该课件吗？',
});

export const meta = dialog.meta;

export const loader = loaderOf(dialog, async ({ client, url, params }) => {
  const ware = await client.send(showClassWare, { params });
  if (ware.class_id !== classDetail.at(url).id) throw data({ msg: missingWare }, { status: 404 });
  return { name: ware.ware_name };
});

export const action = actionOf(dialog);

export default dialog.Page;
