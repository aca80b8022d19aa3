/** Dialog with the cover picture of a course: shows, replaces or removes it. */
import { changeCourseCover, showCourse } from '#server/courses/contract.ts';
import { courseMessages } from '#server/courses/rules.ts';
import { pictureBytes, pictureExtensions, pictureHint } from '#server/platform/files/rules.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { readButton, redirectWithMessage, refusedForm } from '../shell/form-action.server.ts';
import { contentHash, readFormWithFile } from '../shell/form-with-file.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { storePicture } from '../shell/picture.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/cover';
import { courseCover, courseDetail } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('课程封面');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, changeCourseCover);
  const { title, cover_img } = await context.get(api).send(showCourse, { params: { id: courseDetail.at(url).id } });
  return { title, cover_img, ...courseCover.opened(url) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const { file, fields } = await readFormWithFile(request, context, pictureBytes);
  const [button] = readButton(fields, '', 'remove');
  const again = (outcome: Parameters<typeof refusedForm>[0]) =>
    refusedForm({ ...outcome, errors: { file: [outcome.msg] } }, fields);
  const picture = button === 'remove' ? undefined : file;
  if (button === '' && !picture) return again({ ok: false, status: 422, msg: courseMessages.noCover });
  const terms = { extensions: pictureExtensions, fault: courseMessages.notACover, tidy: true };
  const stored = picture && (await storePicture(client, picture, terms));
  if (stored && !stored.ok) return again(stored);
  const outcome = await client.ask(changeCourseCover, {
    params: { id: courseDetail.at(url).id },
    body: { cover_img: stored?.data.path ?? '' },
    idempotencyKey: idempotencyField(fields),
    // Each upload of the same picture gets another address, so the idempotency check hashes the picture itself.
    idempotencyContent: picture && picture !== 'too-large' ? await contentHash([picture]) : undefined,
  });
  return outcome.ok ? redirectWithMessage(context, outcome.msg, courseCover.behind(url)) : again(outcome);
}

const { DialogForm, FileField } = formOf<typeof changeCourseCover, 'file'>();

export default function CourseCover({ loaderData, actionData }: Route.ComponentProps) {
  const { title, cover_img, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="课程封面" closeHref={closeHref}>
      {cover_img && (
        <p>
          <img src={cover_img} alt={`${title}的封面`} height={120} />
        </p>
      )}
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit="上传"
        encType="multipart/form-data"
      >
        <FileField
          name="file"
          label={cover_img ? '更换封面图片' : '封面图片'}
          description={`${pictureHint(pictureBytes)}，显示在班级的课程列表中。`}
          accept="image/jpeg,image/png,image/gif,image/webp"
        />
        {cover_img && (
          <p>
            <Submit intent="remove" variant="default">
              移除封面
            </Submit>
          </p>
        )}
      </DialogForm>
    </Dialog>
  );
}
