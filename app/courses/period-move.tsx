/** A period at another time, alone or with all that follow it. */
import { movePeriod, showPeriod } from '#server/courses/periods.contract.ts';
import { api } from '../api/client.server.ts';
import { localValue } from '../lib/dates.ts';
import { textOf } from '../lib/form-data.ts';
import { readMoment } from '../lib/zoned.ts';
import { mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { Route } from './+types/period-move';
import { periodMove } from './screens.ts';
import { spanOf } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('改时间');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, movePeriod);
  const period = await context.get(api).send(showPeriod, { params: { id: periodMove.at(url).period } });
  const { timezone } = signedInPerson(context).settings;
  return { period, timezone, ...periodMove.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { timezone } = signedInPerson(sent.context).settings;
  return takeEdit<unknown>(sent, periodMove.behind(url), (client, idempotencyKey, form) =>
    client.ask(movePeriod, {
      params: { id: periodMove.at(url).period },
      body: {
        start_play: readMoment(textOf(form, 'start_play'), timezone),
        later: textOf(form, 'later') === '1' ? 1 : undefined,
        seen: textOf(form, 'seen'),
        acknowledged: textOf(form, 'acknowledged'),
      },
      idempotencyKey,
    }),
  );
};

const { CheckField, DateTimeField, DialogForm } = formOf<typeof movePeriod>();

export default function MovePeriod({ loaderData, actionData }: Route.ComponentProps) {
  const { period, timezone, closeHref, idempotencyKey } = loaderData;
  const { title, start_play, later, seen } = period;
  return (
    <Dialog title="改时间" closeHref={closeHref}>
      <p>
        课时：<strong data-written>{title}</strong>
        <br />
        现在：{spanOf(period, timezone)}
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ start_play: localValue(start_play, timezone), seen }}
        submit="保存"
      >
        <HiddenField name="seen" />
        <HiddenField name="acknowledged" />
        <DateTimeField name="start_play" label="新的开始时间" withAsterisk />
        {later > 0 && <CheckField name="later" label={`之后的${later}节课时移动同样的时间`} />}
      </DialogForm>
    </Dialog>
  );
}
