/** Page with the national holidays of a year: chooses which days to record, and shows the lessons on these days. */

import { Checkbox } from '@mantine/core';
import {
  adoptHolidays,
  type ChosenNationalDays,
  listNationalHolidays,
  type NationalDay,
  weekdays,
} from '#server/settings/holidays.contract.ts';
import { settingsMessages, weekdayNames } from '#server/settings/rules.ts';
import { api } from '../api/client.server.ts';
import { withWeekday } from '../lib/dates.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { readButton, readPostedForm, redirectWithMessage, refusedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requireAllowed, requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { ListTable } from '../ui/list-table.tsx';
import { Screen } from '../ui/screen.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import type { Route } from './+types/holiday-adopt';
import { HolidayKind } from './holiday-kind.tsx';
import { holidayAdopt, holidays } from './screens.ts';
import styles from './settings.posts.module.css';
import { StandingLessons } from './standing-lessons.tsx';
import { nationalNote } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '节假日', href: holidays.href() }, { label: '采用国家法定节假日' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titleMeta('采用国家法定节假日', loaderData && `${loaderData.national.year}年`);

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, adoptHolidays);
  const { every_school, permissions } = signedInPerson(context);
  requireAllowed(context, every_school === 1 ? undefined : { code: 403, msg: settingsMessages.everySchool });
  const { year } = holidayAdopt.at(url);
  return {
    national: await context.get(api).send(listNationalHolidays, { query: { year } }),
    mayTeach: permissions.includes('teaching'),
    idempotencyKey: crypto.randomUUID(),
  };
}

/** Name of the field for the weekday whose timetable a make-up workday follows. */
const weekdayField = (day: string) => `as_weekday.${day}` as const;

const readChosenDays = (form: FormData): ChosenNationalDays => ({
  days: form.getAll('days').map((one) => {
    const day = String(one);
    return { day, as_weekday: weekdays.find((weekday) => String(weekday) === textOf(form, weekdayField(day))) };
  }),
});

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const body = readChosenDays(form);
  const outcome = await context.get(api).ask(adoptHolidays, { body, idempotencyKey: idempotencyField(form) });
  if (outcome.ok) return redirectWithMessage(context, outcome.msg, holidays.href({ year: holidayAdopt.at(url).year }));
  // Shows one message above the list, instead of one at each checkbox.
  return refusedForm({ ...outcome, msg: outcome.errors?.days?.[0] ?? outcome.msg, errors: undefined }, form);
}

const { CheckField, Form, SelectField } = formOf<typeof adoptHolidays, ReturnType<typeof weekdayField>>();

export default function HolidayAdopt({ loaderData, actionData }: Route.ComponentProps) {
  const { national, mayTeach, idempotencyKey } = loaderData;
  const { year, days } = national;
  const missing = days.filter(({ present }) => !present);
  return (
    <Screen title="采用国家法定节假日" card>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{
          days: missing.map(({ day }) => day),
          ...Object.fromEntries(missing.map(({ day, as_weekday }) => [weekdayField(day), as_weekday ?? ''])),
        }}
        className={styles.stack}
        noValidate
      >
        <p>
          <strong>{nationalNote(national)}</strong>
        </p>
        <p>
          勾选的日子会记为放假或调休上课，以后批量排课时跳过或照做；已经排好的课不会改动，列在“已排的课”中，需要时请逐节调整。
          {missing.some(({ is_workday }) => is_workday === 1) &&
            '通知没有写明调休的日子补哪一天的课，这里按放假占用的工作日依次填写，请核对。'}
        </p>
        <ListTable<NationalDay>
          caption={`${year}年的国家法定节假日`}
          rows={days}
          rowKey={({ day }) => day}
          empty={`没有${year}年的法定节假日`}
          columns={[
            {
              key: 'day',
              header: '日期',
              nowrap: true,
              cell: ({ day, present }) =>
                present ? (
                  <Checkbox label={withWeekday(day)} className={styles.day} checked disabled readOnly />
                ) : (
                  <CheckField
                    name="days"
                    id={`days-${day}`}
                    value={day}
                    label={withWeekday(day)}
                    className={styles.day}
                  />
                ),
            },
            { key: 'name', header: '名称', cell: ({ name }) => name },
            {
              key: 'kind',
              header: '安排',
              cell: (row) =>
                row.present ? (
                  <>
                    已有：{row.present.name} <HolidayKind of={row.present} />
                    {row.present.is_workday !== row.is_workday && ' 与上述安排不同，如需更改请先删除这一天'}
                  </>
                ) : (
                  <>
                    <HolidayKind of={{ is_workday: row.is_workday, as_weekday: null }} />
                    {row.is_workday === 1 && (
                      <SelectField
                        name={weekdayField(row.day)}
                        aria-label={`${row.day} 上课时按`}
                        placeholder="当天的课表"
                        choices={weekdays.map((day) => [day, `${weekdayNames[day - 1]}的课表`])}
                      />
                    )}
                  </>
                ),
            },
            {
              key: 'lessons',
              header: '已排的课',
              phone: 'line',
              cell: (row) =>
                row.present || row.is_workday === 1 ? '' : <StandingLessons of={row} mayTeach={mayTeach} />,
            },
          ]}
        />
        {missing.length > 0 && (
          <Toolbar>
            <Submit>采用勾选的日子</Submit>
          </Toolbar>
        )}
      </Form>
    </Screen>
  );
}
