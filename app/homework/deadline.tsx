import { Button } from '@mantine/core';
import { adjustDeadline, homeworkButtons } from '#server/homework/contract.ts';
import { publicationMessages } from '#server/homework/rules.ts';
import { api } from '../api/client.server.ts';
import { localValue } from '../lib/dates.ts';
import { textOf } from '../lib/form-data.ts';
import { readLocalTime, yesterdayValue } from '../lib/zoned.ts';
import { handleForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { Deadline as Until } from '../ui/moment.tsx';
import type { Route } from './+types/deadline';
import styles from './deadline.module.css';
import { deadlinePresets } from './publish/deadlines.ts';
import { requireSameHomework } from './same-homework.ts';
import { deadline } from './screens.ts';
import { formatRecipients } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('调整截止时间');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { timezone } = signedInPerson(context).settings;
  const client = context.get(api);
  const { id, to } = deadline.at(url);
  requireSameHomework(url, id);
  const homework = await client.send(homeworkButtons, { params: { id } });
  requireAllowed(context, homework.refusals.deadline);
  const opened = deadline.opened(url);
  return {
    homework,
    ...opened,
    present: to ?? localValue(homework.ending_time, timezone),
    presets: deadlinePresets(client.now(), timezone).map(({ label, value }) => ({
      label,
      href: deadline.href(opened.closeHref, { id, to: value }),
    })),
    earliest: yesterdayValue(client.now(), timezone),
  };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  requireSameHomework(url, deadline.at(url).id);
  return handleForm(sent, deadline.behind(url), (client, idempotencyKey, form) => {
    const typed = textOf(form, 'ending_time');
    const seconds = readLocalTime(typed, signedInPerson(sent.context).settings.timezone);
    // The user confirmed a deadline in the past. The confirmation counts only if that deadline is unchanged.
    const confirm_past = textOf(form, 'confirm_past') === typed ? 1 : undefined;
    return client.ask(adjustDeadline, {
      params: { id: deadline.at(url).id, seconds },
      body: { confirm_past },
      idempotencyKey,
    });
  });
};

const { DateTimeField, DialogForm } = formOf<typeof adjustDeadline, 'ending_time'>();

export default function Deadline({ loaderData, actionData }: Route.ComponentProps) {
  const { homework, closeHref, present, presets, earliest, idempotencyKey } = loaderData;
  const asked = actionData?.errors?.confirm_past
    ? actionData.typed?.find(([name]) => name === 'ending_time')?.[1]
    : undefined;
  return (
    <Dialog title="调整截止时间" closeHref={closeHref}>
      <p>
        作业：<strong>{homework.name}</strong>
      </p>
      <p>
        目前截止时间：
        <Until at={homework.ending_time} over="已截止" />
      </p>
      <p>{formatRecipients(homework)}</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ ending_time: present }}
        submit={asked === undefined ? '确定' : '仍然调整'}
        noValidate
      >
        {asked !== undefined && <input type="hidden" name="confirm_past" value={asked} />}
        <DateTimeField
          name="ending_time"
          label="截止时间"
          description={publicationMessages.deadlineRule}
          withAsterisk
          min={earliest}
        />
        <p className={styles.presets}>
          {presets.map(({ label, href }) => (
            <Button component="a" key={label} href={href} variant="default">
              {label}
            </Button>
          ))}
        </p>
      </DialogForm>
    </Dialog>
  );
}
