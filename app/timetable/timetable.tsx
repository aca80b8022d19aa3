/** Form for the rules of a term, which generate periods and lessons. Previews them first. */

import { Button, NativeSelect, TextInput } from '@mantine/core';
import { data } from 'react-router';
import { weekdayNames } from '#server/courses/rules.ts';
import { timetableWeeks } from '#server/import/rules.ts';
import {
  makeTimetable,
  timetableOptions,
  type WrittenRule,
  type WrittenTimetable,
} from '#server/timetable/contract.ts';
import { maxTimetableRules, timetableNameLimit } from '#server/timetable/rules.ts';
import { api } from '../api/client.server.ts';
import { importScreen } from '../import/screens.ts';
import { localDay } from '../lib/dates.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { idOf } from '../lib/search.ts';
import { readButton, readPostedForm, redirectWithMessage, refusedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { findHolidayGaps } from '../shell/holiday-gaps.server.ts';
import { HolidayGapNotice } from '../shell/holiday-gaps.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { AddressForm } from '../ui/address-form.tsx';
import { choicesOf } from '../ui/filter-form.tsx';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { planForm } from '../ui/plan-form.ts';
import { Screen } from '../ui/screen.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { useNow, useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/timetable';
import { importTimetable, importWeek } from './screens.ts';
import { parityChoices, parseParity, teachingModeChoices } from './terms.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '导入', href: importScreen.href() }, { label: '排课表' }] };

export const meta: Route.MetaFunction = () => titleMeta('排课表');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, makeTimetable);
  const { school, from, term, name } = importTimetable.at(url);
  const [options, missing] = await Promise.all([
    context.get(api).send(timetableOptions, { query: { school_id: school, from, name } }),
    findHolidayGaps(context),
  ]);
  return {
    options,
    missing,
    from,
    term: options.terms.find(({ id }) => id === term),
    name,
    idempotencyKey: crypto.randomUUID(),
  };
}

const fieldNames = [
  'target',
  'weekday',
  'start',
  'end',
  'first_week',
  'last_week',
  'parity',
  'lecturer_id',
  'room_id',
  'teaching_mode',
] as const;
type RuleField = `rules.${number}.${(typeof fieldNames)[number] | 'course_id'}`;
const fieldOf = (at: number, name: (typeof fieldNames)[number]): RuleField => `rules.${at}.${name}`;

/** Drops empty lines and renumbers the rest, so that the paths of errors match the lines. */
function withoutEmptyLines(form: FormData): { form: FormData; lines: number } {
  const next = new FormData();
  for (const [name, value] of form) if (!name.startsWith('rules.')) next.append(name, value);
  let lines = 0;
  for (let at = 0; at < maxTimetableRules; at += 1) {
    const says = ['target', 'weekday', 'start', 'end'] as const;
    if (says.every((name) => textOf(form, fieldOf(at, name)).trim() === '')) continue;
    for (const name of fieldNames) next.append(fieldOf(lines, name), textOf(form, fieldOf(at, name)));
    lines += 1;
  }
  return { form: next, lines };
}

function ruleOf(form: FormData, at: number): WrittenRule {
  const number = (name: (typeof fieldNames)[number]) => idOf(textOf(form, fieldOf(at, name)).trim());
  const [classId, courseId] = textOf(form, fieldOf(at, 'target')).split(':');
  const mode = number('teaching_mode');
  return {
    class_id: idOf(classId),
    course_id: idOf(courseId),
    weekday: number('weekday'),
    start: textOf(form, fieldOf(at, 'start')),
    end: textOf(form, fieldOf(at, 'end')),
    first_week: number('first_week'),
    last_week: number('last_week'),
    parity: parseParity(textOf(form, fieldOf(at, 'parity'))),
    lecturer_id: number('lecturer_id'),
    room_id: number('room_id'),
    teaching_mode: mode === 2 ? 2 : 1,
  };
}

const readTimetableForm = (form: FormData, lines: number): WrittenTimetable => ({
  school_id: idOf(textOf(form, 'school_id')),
  name: textOf(form, 'name'),
  first_day: textOf(form, 'first_day') || undefined,
  weeks: idOf(textOf(form, 'weeks').trim()),
  from_day: textOf(form, 'from_day') || undefined,
  holidays: textOf(form, 'holidays') === '1' ? 1 : undefined,
  skip: textOf(form, 'skip'),
  based_on: idOf(textOf(form, 'based_on')),
  rules: Array.from({ length: lines }, (_, at) => ruleOf(form, at)),
});

/** Number of empty lines at the start, and number that the add button adds. */
const newLines = 4;

export async function action({ request, context }: Route.ActionArgs) {
  const { form, lines } = withoutEmptyLines(await readPostedForm(request, context));
  const [button] = readButton(form, 'more', 'check', '');
  if (button === 'more') {
    const typed = [...form].map(([name, value]) => [name, String(value)] as const);
    return data({ msg: '', errors: undefined, typed, key: idempotencyField(form), lines: lines + newLines });
  }
  const outcome = await context
    .get(api)
    .ask(makeTimetable, { body: readTimetableForm(form, lines), idempotencyKey: idempotencyField(form) });
  if (outcome.ok) return redirectWithMessage(context, outcome.msg, importWeek.href({ id: outcome.data.id }));
  // Errors of the course are shown at the select that chooses class and course together.
  const errors = Object.fromEntries(
    Object.entries(outcome.errors ?? {}).map(([name, messages]) => [
      name.replace(/^(rules\.\d+)\.course_id$/, '$1.target'),
      messages,
    ]),
  );
  const again = refusedForm({ ...outcome, ...(outcome.errors && { errors }) }, form);
  return data({ ...again.data, lines: Math.max(lines, 1) }, { status: outcome.status });
}

const { AreaField, CheckField, Form, NumberField, SelectField, TextField } = formOf<typeof makeTimetable, RuleField>();

export default function Timetable({ loaderData, actionData }: Route.ComponentProps) {
  const { options, missing, from, term, name, idempotencyKey } = loaderData;
  const { plan, schools, targets, lecturers, rooms, terms, more, latest } = options;
  const today = localDay(useNow(), useTimezone());
  const lines = actionData?.lines ?? (plan ? plan.rules.length + 1 : newLines);
  const school = options.school_id;
  return (
    <Screen title="排课表" card>
      <AddressForm href={importTimetable.href({ from })} label="选择学校、学期和课程" replacedParam="school">
        <div className={planForm.chooser}>
          {schools.length > 1 && (
            <NativeSelect
              name="school"
              aria-label="学校"
              defaultValue={school}
              data={schools.map(({ id, name: called }) => ({ value: String(id), label: called }))}
            />
          )}
          {terms.length > 0 && (
            <NativeSelect
              name="term"
              aria-label="学期"
              defaultValue={term?.id ?? ''}
              data={[
                { value: '', label: '不按学期' },
                ...terms.map(({ id, name: called }) => ({ value: String(id), label: called })),
              ]}
            />
          )}
          <TextInput
            name="name"
            aria-label="课程、班级或团课名称"
            placeholder="课程、班级或团课名称"
            defaultValue={name}
          />
          <Button type="submit" variant="default">
            查找
          </Button>
          {latest > 0 && latest !== from && (
            <Button component="a" href={importTimetable.href({ school, from: latest })} variant="default">
              在上次课表上修改
            </Button>
          )}
        </div>
      </AddressForm>
      {more > 0 && <p>课程、班级和团课较多，还有{more}个没有列出，请先按名称查找。</p>}
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{
          school_id: school,
          name: plan?.name ?? '',
          first_day: term?.first_day ?? plan?.first_day ?? today,
          weeks: term?.weeks || (plan?.weeks ?? 16),
          from_day: plan ? today : '',
          holidays: plan && plan.holidays !== 1 ? '' : '1',
          skip: plan?.skip ?? '',
          based_on: plan ? from : '',
          ...Object.assign({}, ...(plan?.rules ?? []).map(valuesOf)),
        }}
        draft={`timetable of ${school} ${term?.id ?? ''}`}
        className={planForm.form}
        noValidate
      >
        <HiddenField name="school_id" />
        <HiddenField name="based_on" />
        <HolidayGapNotice of={missing} />
        <div className={planForm.row}>
          <TextField name="name" label="课表名称" withAsterisk maxLength={timetableNameLimit} autoComplete="off" />
          <TextField name="first_day" label="第一周从哪天开始" type="date" withAsterisk />
          <NumberField name="weeks" label="共几周" withAsterisk min={1} max={timetableWeeks} inputMode="numeric" />
          <TextField
            name="from_day"
            label="生效日期"
            type="date"
            description="之前的课保持原样；不填则从今天或第一周开始"
          />
          <AreaField
            name="skip"
            label="另外不上课的日期"
            rows={2}
            description="如 2026-10-05，多个用逗号或换行分开"
            autoComplete="off"
          />
          <CheckField name="holidays" label="设置中的节假日不上课，调休按设置的星期上课" />
        </div>
        {actionData?.errors?.rules && <p role="alert">{actionData.errors.rules[0]}</p>}
        {Array.from({ length: Math.min(lines, maxTimetableRules) }, (_, at) => (
          <fieldset key={fieldOf(at, 'target')} className={planForm.row}>
            <legend>第{at + 1}条规则</legend>
            <SelectField
              name={fieldOf(at, 'target')}
              label="课程、班级或团课"
              placeholder="请选择"
              className={planForm.wide}
              choices={targets.map(
                ({ class_id, course_id, name: called }) => [`${class_id}:${course_id}`, called] as const,
              )}
            />
            <SelectField
              name={fieldOf(at, 'weekday')}
              label="星期"
              placeholder="请选择"
              choices={weekdayNames.map((called, place) => [place + 1, called] as const)}
            />
            <TextField name={fieldOf(at, 'start')} label="开始时间" type="time" />
            <TextField name={fieldOf(at, 'end')} label="结束时间" type="time" />
            <NumberField name={fieldOf(at, 'first_week')} label="从第几周" min={1} inputMode="numeric" />
            <NumberField name={fieldOf(at, 'last_week')} label="到第几周" min={1} inputMode="numeric" />
            <SelectField name={fieldOf(at, 'parity')} label="单双周" choices={parityChoices} />
            <SelectField
              name={fieldOf(at, 'lecturer_id')}
              label="讲师"
              placeholder="暂不安排"
              choices={choicesOf(lecturers)}
            />
            <SelectField name={fieldOf(at, 'room_id')} label="教室" placeholder="无" choices={choicesOf(rooms)} />
            <SelectField name={fieldOf(at, 'teaching_mode')} label="上课方式" choices={teachingModeChoices} />
          </fieldset>
        ))}
        <p>
          选课程时排成课时，所有上这门课程的班级都上；选班级的课程时只有这个班级上，须选讲师，课时排在课程下该班级自己的课程中，还没有时自动添加；选团课或一对一时排成课次，须选讲师，并按顺序对应课程的课时。教室和上课方式只用于课次。不填周次为每一周。
        </p>
        <Toolbar>
          <Submit intent="check">展开并检查</Submit>
          {lines < maxTimetableRules && (
            <Submit intent="more" variant="default">
              再加几条
            </Submit>
          )}
        </Toolbar>
      </Form>
    </Screen>
  );
}

/** Form fields of a stored rule. */
const valuesOf = (rule: WrittenRule, at: number): Partial<Record<RuleField, string | number>> => ({
  [fieldOf(at, 'target')]: `${rule.class_id ?? 0}:${rule.course_id ?? 0}`,
  [fieldOf(at, 'weekday')]: rule.weekday ?? '',
  [fieldOf(at, 'start')]: rule.start,
  [fieldOf(at, 'end')]: rule.end,
  [fieldOf(at, 'first_week')]: rule.first_week ?? '',
  [fieldOf(at, 'last_week')]: rule.last_week ?? '',
  [fieldOf(at, 'parity')]: rule.parity ?? 'all',
  [fieldOf(at, 'lecturer_id')]: rule.lecturer_id ?? '',
  [fieldOf(at, 'room_id')]: rule.room_id ?? '',
  [fieldOf(at, 'teaching_mode')]: rule.teaching_mode ?? 1,
});
