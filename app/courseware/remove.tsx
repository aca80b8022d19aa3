/** Dialog that removes an upload of the user's own from the library. */
import { removeMaterial, showMaterial } from '#server/courseware/contract.ts';
import { removeFault } from '#server/courseware/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { forbiddenIfFault } from '../shell/permissions.server.ts';
import { materialRemove } from './screens.ts';

const dialog = confirmDialog({
  call: removeMaterial,
  at: materialRemove,
  params: materialRemove.at,
  verb: '移除',
  kind: '课件',
  question: '确定从课件库移除该课件吗？已添加到课次的不受影响。',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const material = await client.send(showMaterial, { params });
  return { name: material.ware_name, refusal: forbiddenIfFault(removeFault(material)) };
});

export const action = dialogAction(dialog);

export default dialog.Page;
