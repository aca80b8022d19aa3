import { editWare, listWareClassifies, showWare } from '#server/courseware/contract.ts';
import { editFault } from '#server/courseware/rules.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/edit';
import { wareEdit } from './screens.ts';
import styles from './upload.module.css';
import { WareFields, withOwn } from './ware-fields.tsx';

export const meta: Route.MetaFunction = () => titled('编辑课件');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const [ware, classifies] = await Promise.all([
    client.send(showWare, { params: { id: wareEdit.at(url).id } }),
    client.send(listWareClassifies),
  ]);
  mustBeAllowed(context, forbiddenBy(editFault(ware)));
  return { ware, classifies, ...wareEdit.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, wareEdit.behind(url), (client, idempotencyKey, form) =>
    client.ask(editWare, { params: { id: wareEdit.at(url).id }, body: readForm(editWare, form), idempotencyKey }),
  );

const { DialogForm } = formOf<typeof editWare>();

export default function EditCourseware({ loaderData, actionData }: Route.ComponentProps) {
  const { ware, classifies, closeHref, idempotencyKey } = loaderData;
  const { ware_name, ware_desc, classify_id, classify_name } = ware;
  return (
    <Dialog title="编辑课件" closeHref={closeHref} width={800}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ ware_name, ware_desc, classify_id: classify_id || '' }}
        submit="保存"
        draft={`ware ${ware.id}`}
      >
        <p className={styles.file}>文件：{ware.ware_filename}</p>
        <WareFields classifies={withOwn(classifies, { id: classify_id, classify_name })} isNameRequired />
      </DialogForm>
    </Dialog>
  );
}
