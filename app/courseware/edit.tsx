import { editWare, listWareClassifies, showWare } from '#server/courseware/contract.ts';
import { editFault } from '#server/courseware/rules.ts';
import { actionOf, loaderOf } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { forbiddenBy } from '../shell/permissions.server.ts';
import { WareFields, withOwn } from './material-fields.tsx';
import { wareEdit } from './screens.ts';
import styles from './upload.posts.module.css';

const dialog = formDialog({
  call: editWare,
  at: wareEdit,
  params: wareEdit.at,
  title: '编辑课件',
  submit: '保存',
  width: 800,
});

export const meta = dialog.meta;

export const loader = loaderOf(dialog, async ({ client, params }) => {
  const [ware, classifies] = await Promise.all([client.send(showWare, { params }), client.send(listWareClassifies)]);
  const { ware_name, ware_desc, classify_id, classify_name } = ware;
  return {
    file: ware.ware_filename,
    classifies: withOwn(classifies, { id: classify_id, classify_name }),
    values: { ware_name, ware_desc, classify_id: classify_id || '' },
    draft: `ware ${ware.id}`,
    refusal: forbiddenBy(editFault(ware)),
  };
});

export const action = actionOf(dialog);

export default dialog.page<typeof loader>((_, { file, classifies }) => (
  <>
    <p className={styles.file}>文件：{file}</p>
    <WareFields classifies={classifies} isNameRequired />
  </>
));
