/** Holidays of a year, and the weekend days that are working days instead. */

import { Button } from '@mantine/core';
import {
  addHolidays,
  type ListedHoliday,
  listHolidays,
  listNationalHolidays,
  weekdays,
} from '#server/settings/holidays.contract.ts';
import { holidayNameLimit } from '#server/settings/rules.ts';
import { api } from '../api/client.server.ts';
import { withWeekday } from '../lib/dates.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { finishForm, readButton, readPostedForm } from '../shell/form-action.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { ListTable } from '../ui/list-table.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/holidays';
import { ArrangementFields } from './arrangement-fields.tsx';
import { HolidayKind } from './holiday-kind.tsx';
import { holidayAdopt, holidayEdit, holidayRemove, holidays } from './screens.ts';
import styles from './settings.posts.module.css';
import { SettingsTabs } from './settings-tabs.tsx';
import { StandingLessons } from './standing-lessons.tsx';
import { nationalNote } from './terms.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData && `${loaderData.year}年`, '节假日');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listHolidays);
  const { settings, every_school, permissions } = signedInPerson(context);
  const client = context.get(api);
  const thisYear = Number(
    new Intl.DateTimeFormat('en', { timeZone: settings.timezone, year: 'numeric' }).format(client.now() * 1000),
  );
  const { year = thisYear } = holidays.at(url);
  const [days, national] = await Promise.all([
    client.send(listHolidays, { query: { year } }),
    client.send(listNationalHolidays, { query: { year } }),
  ]);
  return {
    year,
    thisYear,
    days,
    national,
    missing: national.days.filter(({ present }) => !present).length,
    mayTeach: permissions.includes('teaching'),
    mayChange: every_school === 1,
    here: holidays.here(url),
    idempotencyKey: crypto.randomUUID(),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const outcome = await context.get(api).ask(addHolidays, {
    body: {
      from: textOf(form, 'from') || undefined,
      to: textOf(form, 'to') || undefined,
      name: textOf(form, 'name'),
      is_workday: textOf(form, 'is_workday') === '1' ? 1 : undefined,
      as_weekday: weekdays.find((day) => String(day) === textOf(form, 'as_weekday')),
    },
    idempotencyKey: idempotencyField(form),
  });
  const year = Number(textOf(form, 'from').slice(0, 4));
  return finishForm(context, outcome, year ? holidays.href({ year }) : holidays.here(url), form);
}

const { Form, TextField } = formOf<typeof addHolidays>();

export default function Holidays({ loaderData, actionData }: Route.ComponentProps) {
  const { year, thisYear, days, national, missing, mayTeach, mayChange, here, idempotencyKey } = loaderData;
  const years = [...new Set([thisYear - 1, thisYear, thisYear + 1, year])].sort((a, b) => a - b);
  return (
    <Screen title="设置" className={styles.page}>
      <SettingsTabs current="holidays" />
      <div className={styles.body}>
        <nav aria-label="年份" className={styles.years}>
          {years.map((one) => (
            <a key={one} href={holidays.href({ year: one })} aria-current={one === year ? 'page' : undefined}>
              {one}年
            </a>
          ))}
        </nav>
        {(missing > 0 || national.is_announced === 0) && <p className={styles.before}>{nationalNote(national)}</p>}
        {mayChange && missing > 0 && (
          <p className={styles.before}>
            <Button component="a" href={holidayAdopt.href({ year })}>
              采用国家法定节假日（{missing}天）
            </Button>
          </p>
        )}
        <ListTable<ListedHoliday>
          caption={`${year}年的节假日与调休`}
          rows={days}
          rowKey={({ id }) => id}
          empty={`${year}年还没有节假日`}
          columns={[
            { key: 'day', header: '日期', nowrap: true, cell: ({ day }) => withWeekday(day) },
            { key: 'name', header: '名称', cell: ({ name }) => name },
            {
              key: 'kind',
              header: '安排',
              cell: (row) => <HolidayKind of={row} />,
            },
            days.some(({ lesson_count }) => lesson_count > 0) && {
              key: 'lessons',
              header: '已排的课',
              phone: 'line',
              cell: (row) => (row.lesson_count > 0 ? <StandingLessons of={row} mayTeach={mayTeach} /> : ''),
            },
            mayChange &&
              actionsColumn(({ id, day }) => [
                { label: '编辑', recordName: day, href: holidayEdit.href(here, { day: id }) },
                { label: '删除', recordName: day, href: holidayRemove.href(here, { day: id }), danger: true },
              ]),
          ]}
        />
      </div>
      {mayChange && (
        <Form
          idempotencyKey={idempotencyKey}
          refused={actionData}
          values={{ is_workday: 0 }}
          className={styles.form}
          noValidate
        >
          <h2>添加</h2>
          <TextField name="name" label="名称" withAsterisk limit={holidayNameLimit} autoComplete="off" />
          <TextField name="from" label="日期" type="date" withAsterisk />
          <TextField name="to" label="到" type="date" description="多天时填写，包括这一天" />
          <ArrangementFields />
          <Submit>添加</Submit>
        </Form>
      )}
    </Screen>
  );
}
