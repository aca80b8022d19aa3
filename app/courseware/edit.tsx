import { editMaterial, listMaterialClassifies, showMaterial } from '#server/courseware/contract.ts';
import { editFault } from '#server/courseware/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { forbiddenIfFault } from '../shell/permissions.server.ts';
import { MaterialFields, withOwnCategory } from './material-fields.tsx';
import { materialEdit } from './screens.ts';
import styles from './upload.posts.module.css';

const dialog = formDialog({
  call: editMaterial,
  at: materialEdit,
  params: materialEdit.at,
  title: '编辑课件',
  submit: '保存',
  width: 800,
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const [material, classifies] = await Promise.all([
    client.send(showMaterial, { params }),
    client.send(listMaterialClassifies),
  ]);
  const { ware_name, ware_desc, classify_id, classify_name } = material;
  return {
    file: material.ware_filename,
    classifies: withOwnCategory(classifies, { id: classify_id, classify_name }),
    values: { ware_name, ware_desc, classify_id: classify_id || '' },
    draft: `ware ${material.id}`,
    refusal: forbiddenIfFault(editFault(material)),
  };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>((_, { file, classifies }) => (
  <>
    <p className={styles.file}>文件：{file}</p>
    <MaterialFields classifies={classifies} isNameRequired />
  </>
));
