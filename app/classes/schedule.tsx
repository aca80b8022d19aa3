/** The schedule picture of a class over the class list: shown, and replaced for all classes of its large class. */
import { data } from 'react-router';
import { changeSchedule, showClass } from '#server/classes/contract.ts';
import { classMessages } from '#server/classes/rules.ts';
import { uploadFile } from '#server/platform/files/contract.ts';
import { pictureBytes, pictureTooLarge } from '#server/platform/files/rules.ts';
import { api } from '../api/client.server.ts';
import { keyAfter } from '../api/outcome.server.ts';
import { done } from '../shell/dialog-action.server.ts';
import { contentOf, readFormWithFile } from '../shell/form-with-file.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import type { Refused } from '../ui/form.tsx';
import { FileField } from '../ui/form-fields.tsx';
import type { Route } from './+types/schedule';
import styles from './schedule.module.css';
import { classSchedule } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('课表');

export async function loader({ context, url }: Route.LoaderArgs) {
  const klass = await context.get(api).send(showClass, { params: { id: classSchedule.at(url).id } });
  return { klass, ...classSchedule.opened(url) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const { large_class_id } = await client.send(showClass, { params: { id: classSchedule.at(url).id } });
  const { file, fields, tooLarge } = await readFormWithFile(request, context, pictureBytes);
  const key = fields.get('idempotency_key') ?? undefined;
  const again = (msg: string, status: number, nextKey = key) =>
    data<Refused>({ msg, errors: { file: [msg] }, typed: [], key: nextKey }, { status });
  if (tooLarge) return again(pictureTooLarge(pictureBytes), 413);
  if (!file) return again(classMessages.noSchedule, 422);
  if (!/\.(jpe?g|png|gif|webp)$/i.test(file.name)) return again(classMessages.notAPicture, 415);
  const form = new FormData();
  form.set('file', file);
  const uploaded = await client.upload(uploadFile, form);
  if (!uploaded.ok) return again(uploaded.msg, uploaded.status);
  const outcome = await client.ask(changeSchedule, {
    params: { id: large_class_id },
    body: { schedule_image: uploaded.data.path },
    idempotencyKey: key,
    // The picture has an address of its own each time that it is sent.
    idempotencyContent: await contentOf([file]),
  });
  return outcome.ok
    ? done(context, outcome.msg, classSchedule.behind(url))
    : again(outcome.msg, outcome.status, keyAfter(outcome, key));
}

export default function ClassSchedule({
  loaderData: { klass, closeHref, idempotencyKey },
  actionData,
}: Route.ComponentProps) {
  const { schedule_image, large_class_id, large_class_name } = klass;
  return (
    <Dialog title={`${klass.class_name}的课表`} closeHref={closeHref} width={800}>
      {schedule_image ? (
        <a href={schedule_image} className={styles.picture} title="查看原图">
          <img src={schedule_image} alt={`${klass.class_name}的课表`} />
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
          className={styles.form}
        >
          <FileField
            name="file"
            id="schedule"
            label={schedule_image ? '更换课表图片' : '上传课表图片'}
            description={`支持 jpg、png、gif、webp，不超过 20 MB。大班“${large_class_name}”的所有班级共用这张课表。`}
            required
            accept="image/jpeg,image/png,image/gif,image/webp"
          />
        </DialogForm>
      )}
    </Dialog>
  );
}
