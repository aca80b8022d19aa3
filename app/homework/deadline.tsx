/** The dialog that moves a deadline. */
import { adjustDeadline, homeworkButtons } from '#server/homework/contract.ts';
import { api } from '../api/client.server.ts';
import { localValue } from '../lib/dates.ts';
import { readLocalTime, yesterdayValue } from '../lib/zoned.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import type { Route } from './+types/deadline';
import { deadline } from './screens.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => titled('调整截止时间');

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { timezone } = signedInPerson(context).settings;
  const homework = await context.get(api).send(homeworkButtons, { params: { id: params.id } });
  mustBeAllowed(context, homework.refusals.deadline);
  return {
    homework,
    closeHref: deadline.behind(url),
    key: crypto.randomUUID(),
    present: localValue(homework.ending_time, timezone),
    earliest: yesterdayValue(timezone),
  };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await request.formData();
  const { timezone } = signedInPerson(context).settings;
  const seconds = readLocalTime(String(form.get('ending_time') ?? ''), timezone);
  const outcome = await context
    .get(api)
    .ask(adjustDeadline, { params: { id: params.id, seconds }, idempotencyKey: idempotencyField(form) });
  return outcome.ok ? done(context, outcome.msg, deadline.behind(url)) : refused(outcome, form);
}

export default function Deadline({ loaderData, actionData }: Route.ComponentProps) {
  const { homework, closeHref, present, earliest, key } = loaderData;
  const typed = new Map(actionData?.typed).get('ending_time');
  const error = actionData?.errors?.ending_time?.[0];
  return (
    <Dialog title="调整截止时间" closeHref={closeHref} message={error ? undefined : actionData?.msg}>
      <p>
        作业：<strong>{homework.name}</strong>
      </p>
      <DialogForm closeHref={closeHref} idempotencyKey={actionData?.key ?? key} submit="确定" noValidate>
        <Field label="截止时间" id="ending_time" error={error} hint="不能早于昨天" required>
          <input
            type="datetime-local"
            id="ending_time"
            name="ending_time"
            defaultValue={typed ?? present}
            min={earliest}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'ending_time-error' : undefined}
            className={controlClass}
          />
        </Field>
      </DialogForm>
    </Dialog>
  );
}
