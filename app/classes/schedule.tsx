/** Dialog with the schedule picture of a class. A new picture replaces it for all classes of the same large class. */
import { changeSchedule, showClass } from '#server/classes/contract.ts';
import { classMessages } from '#server/classes/rules.ts';
import { pictureBytes, pictureExtensions, pictureHint } from '#server/platform/files/rules.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { readButton, redirectWithMessage, refusedForm } from '../shell/form-action.server.ts';
import { contentHash, readFormWithFile } from '../shell/form-with-file.server.ts';
import { storePicture } from '../shell/picture.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/schedule';
import styles from './schedule.posts.module.css';
import { classSchedule } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('课表');

export async function loader({ context, url }: Route.LoaderArgs) {
  const theClass = await context.get(api).send(showClass, { params: { id: classSchedule.at(url).id } });
  return { theClass, ...classSchedule.opened(url) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const { file, fields } = await readFormWithFile(request, context, pictureBytes);
  readButton(fields, '');
  const { large_class_id } = await client.send(showClass, { params: { id: classSchedule.at(url).id } });
  const again = (outcome: Parameters<typeof refusedForm>[0]) =>
    refusedForm({ ...outcome, errors: { file: [outcome.msg] } }, fields);
  if (!file) return again({ ok: false, status: 422, msg: classMessages.noSchedule });
  const terms = { extensions: pictureExtensions, fault: classMessages.notAPicture };
  const stored = await storePicture(client, file, terms);
  if (!stored.ok) return again(stored);
  const outcome = await client.ask(changeSchedule, {
    params: { id: large_class_id },
    body: { schedule_image: stored.data.path },
    idempotencyKey: idempotencyField(fields),
    // Each upload of the same picture gets another address, so the idempotency check hashes the picture itself.
    idempotencyContent: file === 'too-large' ? undefined : await contentHash([file]),
  });
  return outcome.ok ? redirectWithMessage(context, outcome.msg, classSchedule.behind(url)) : again(outcome);
}

const { DialogForm, FileField } = formOf<typeof changeSchedule, 'file'>();

export default function ClassSchedule({
  loaderData: { theClass, closeHref, idempotencyKey },
  actionData,
}: Route.ComponentProps) {
  const { schedule_image, large_class_id, large_class_name } = theClass;
  return (
    <Dialog title={`${theClass.class_name}的课表`} closeHref={closeHref} width={800}>
      {schedule_image ? (
        <a href={schedule_image} className={styles.picture} title="查看原图">
          <img src={schedule_image} alt={`${theClass.class_name}的课表`} />
        </a>
      ) : (
        <p className={styles.none}>还没有课表</p>
      )}
      {large_class_id > 0 && (
        <DialogForm
          closeHref={closeHref}
          idempotencyKey={idempotencyKey}
          refused={actionData}
          submit="上传"
          close="关闭"
          encType="multipart/form-data"
        >
          <FileField
            name="file"
            id="schedule"
            label={schedule_image ? '更换课表图片' : '上传课表图片'}
            description={`${pictureHint(pictureBytes)}。大班“${large_class_name}”的所有班级共用这张课表。`}
            required
            accept="image/jpeg,image/png,image/gif,image/webp"
          />
        </DialogForm>
      )}
    </Dialog>
  );
}
