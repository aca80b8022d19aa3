import { adjustDeadline, homeworkButtons } from '#server/homework/contract.ts';
import { publicationMessages } from '#server/homework/rules.ts';
import { api } from '../api/client.server.ts';
import { localValue } from '../lib/dates.ts';
import { textOf } from '../lib/form-data.ts';
import { readLocalTime, yesterdayValue } from '../lib/zoned.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { Deadline as Until } from '../ui/moment.tsx';
import type { Route } from './+types/deadline';
import { deadline } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('调整截止时间');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { timezone } = signedInPerson(context).settings;
  const client = context.get(api);
  const homework = await client.send(homeworkButtons, { params: { id: deadline.at(url).id } });
  mustBeAllowed(context, homework.refusals.deadline);
  return {
    homework,
    ...deadline.opened(url),
    present: localValue(homework.ending_time, timezone),
    earliest: yesterdayValue(client.now(), timezone),
  };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, deadline.behind(url), (client, idempotencyKey, form) => {
    const seconds = readLocalTime(textOf(form, 'ending_time'), signedInPerson(sent.context).settings.timezone);
    return client.ask(adjustDeadline, { params: { id: deadline.at(url).id, seconds }, idempotencyKey });
  });

const { DateTimeField, DialogForm } = formOf<typeof adjustDeadline, 'ending_time'>();

export default function Deadline({ loaderData, actionData }: Route.ComponentProps) {
  const { homework, closeHref, present, earliest, idempotencyKey } = loaderData;
  return (
    <Dialog title="调整截止时间" closeHref={closeHref}>
      <p>
        作业：<strong>{homework.name}</strong>
      </p>
      <p>
        目前截止时间：
        <Until at={homework.ending_time} over="已截止" />
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ ending_time: present }}
        submit="确定"
        noValidate
      >
        <DateTimeField
          name="ending_time"
          label="截止时间"
          description={publicationMessages.deadlineRule}
          withAsterisk
          min={earliest}
        />
      </DialogForm>
    </Dialog>
  );
}
