/** Edits one's own upload in the library: name, category, description. */
import { editWare, listWareClassifies, showWare } from '#server/courseware/contract.ts';
import { editFault } from '#server/courseware/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import type { Route } from './+types/edit';
import { wareEdit } from './screens.ts';
import styles from './upload.module.css';
import { WareFields } from './ware-fields.tsx';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => titled('编辑课件');

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const [ware, classifies] = await Promise.all([
    client.send(showWare, { params: { id: params.id } }),
    client.send(listWareClassifies),
  ]);
  mustBeAllowed(context, forbiddenBy(editFault(ware)));
  return { ware, classifies, closeHref: wareEdit.behind(url), key: crypto.randomUUID() };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? '');
  const outcome = await context.get(api).ask(editWare, {
    params: { id: params.id },
    body: { ware_name: text('ware_name'), ware_desc: text('ware_desc'), classify_id: text('classify_id') },
    idempotencyKey: idempotencyField(form),
  });
  return outcome.ok ? done(context, outcome.msg, wareEdit.behind(url)) : refused(outcome, form);
}

export default function EditCourseware({ loaderData, actionData }: Route.ComponentProps) {
  const { ware, classifies, closeHref, key } = loaderData;
  const { ware_name, ware_desc, classify_id } = ware;
  return (
    <Dialog title="编辑课件" closeHref={closeHref} width={800}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={key}
        refused={actionData}
        values={{ ware_name, ware_desc, classify_id: classify_id || '' }}
        submit="保存"
        className={styles.form}
        draft={`ware ${ware.id}`}
      >
        <p className={styles.file}>文件：{ware.ware_filename}</p>
        <WareFields classifies={classifies} isNameRequired />
      </DialogForm>
    </Dialog>
  );
}
