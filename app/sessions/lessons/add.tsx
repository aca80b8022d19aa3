/** Form that plans one or several lessons of a class. Previews them first. */

import { Button } from '@mantine/core';
import { inClassOrder } from '#server/classes/rules.ts';
import { weekdayNames } from '#server/courses/rules.ts';
import { listLessonClasses } from '#server/group-classes/admin.contract.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import {
  addLessons,
  type LessonsPreview,
  lessonOptions,
  NewLessons,
  previewLessons,
} from '#server/sessions/lessons.contract.ts';
import { maxLessonsAtOnce } from '#server/sessions/rules.ts';
import { api } from '../../api/client.server.ts';
import { adminTeamAdd } from '../../group-classes/screens.ts';
import { formatDay, localDay, localValue } from '../../lib/dates.ts';
import { idempotencyField, readFields } from '../../lib/form-data.ts';
import { readButton, readPostedForm, redirectWithMessage, refusedForm } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { findHolidayGaps } from '../../shell/holiday-gaps.server.ts';
import { HolidayGapNotice } from '../../shell/holiday-gaps.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Empty } from '../../ui/empty.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { FormContext } from '../../ui/form-state.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { recordFormClass } from '../../ui/record-form.ts';
import { Screen } from '../../ui/screen.tsx';
import { useTimezone } from '../../ui/use-school.ts';
import { adminLessonAdd, adminLessonList, adminLessons } from '../screens.ts';
import type { Route } from './+types/add';
import { LessonFields, periodChoices } from './lesson-fields.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '排课', href: adminLessons.href() }, { label: '添加课次' }] };

export const meta: Route.MetaFunction = () => titleMeta('添加课次');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, addLessons);
  const client = context.get(api);
  const { class_id } = adminLessonAdd.at(url);
  const [classes, options, missing] = await Promise.all([
    client.send(listLessonClasses, { query: { limit: maxListLimit } }),
    class_id === undefined ? undefined : client.send(lessonOptions, { params: { classId: class_id } }),
    findHolidayGaps(context),
  ]);
  const running = inClassOrder(classes.list.filter(({ state }) => state !== 'ended'));
  return {
    classes: running.map(({ id, name }) => ({ id, name })),
    options,
    missing,
    now: client.now(),
    idempotencyKey: crypto.randomUUID(),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [button] = readButton(form, 'preview', 'add');
  const client = context.get(api);
  const { class_id } = adminLessonAdd.at(url);
  const body = { ...readFields(NewLessons, form), class_id };
  if (button === 'preview') {
    const outcome = await client.ask(previewLessons, { body });
    if (!outcome.ok) return { refused: refusedForm(outcome, form).data, plan: undefined };
    form.set('acknowledged', outcome.data.effect);
    const typed = refusedForm({ ok: false, status: 200, msg: '' }, form);
    return { refused: typed.data, plan: outcome.data };
  }
  const outcome = await client.ask(addLessons, { body, idempotencyKey: idempotencyField(form) });
  if (outcome.ok) return redirectWithMessage(context, outcome.msg, adminLessonList.href({ class_id, status: 2 }));
  const { acknowledged } = (outcome.data ?? {}) as { acknowledged?: unknown };
  if (typeof acknowledged === 'string') form.set('acknowledged', acknowledged);
  return { refused: refusedForm(outcome, form).data, plan: undefined };
}

const { CheckField, ChecksField, Form, AreaField, SelectField, TextField } = formOf<typeof addLessons>();

export default function LessonAdd({ loaderData, actionData }: Route.ComponentProps) {
  const { classes, options, missing, now, idempotencyKey } = loaderData;
  const timezone = useTimezone();
  if (classes.length === 0) {
    return (
      <Screen title="添加课次">
        <Empty>
          还没有进行中的团课或一对一，<a href={adminTeamAdd.href()}>添加团课或一对一</a>
        </Empty>
      </Screen>
    );
  }
  return (
    <Screen title="添加课次" card>
      <form action={adminLessonAdd.href()} className={recordFormClass} aria-label="选择班级">
        <FormContext value={{ refused: undefined, values: { class_id: options?.class_id ?? '' } }}>
          <SelectField name="class_id" label="班级" withAsterisk placeholder="请选择" choices={choicesOf(classes)} />
        </FormContext>
        <Button type="submit" variant="default">
          选择班级
        </Button>
      </form>
      <hr />
      {options && options.courses.length === 0 && <Empty>该班级还没有课程，请先在班级中添加课程</Empty>}
      {options && options.courses.length > 0 && (
        <Form
          idempotencyKey={idempotencyKey}
          refused={actionData?.refused}
          values={{
            course_id: options.courses.length === 1 ? options.courses[0]?.id : '',
            lecturer_id: options.lecturer_id || '',
            room_id: options.room_id || '',
            teaching_mode: options.teaching_mode,
            first_day: localDay(now, timezone),
          }}
          className={recordFormClass}
          noValidate
        >
          <HolidayGapNotice of={missing} planned={actionData?.plan} />
          {actionData?.plan && <Plan plan={actionData.plan} />}
          <HiddenField name="acknowledged" />
          <LessonFields options={options} />
          <SelectField
            name="period_id"
            label="课时"
            description="只排一节课时选择"
            placeholder="不对应课时"
            choices={periodChoices(options)}
          />
          <TextField name="first_day" type="date" label="日期（多节课时为第一天）" withAsterisk />
          <ChecksField
            name="weekdays"
            label="每周"
            description="不勾选则只排一节课"
            inline
            choices={weekdayNames.map((name, place) => [place + 1, name] as const)}
          />
          <TextField name="last_day" type="date" label="最后一天" description="与节数填写其中一项" />
          <TextField
            name="count"
            label="节数"
            description={`最多${maxLessonsAtOnce}节`}
            inputMode="numeric"
            autoComplete="off"
          />
          <AreaField
            name="skip"
            label="跳过的日期"
            description="设置中的节假日自动跳过，调休按设置的课表；另有的填写，如 2026-05-01，多个用逗号或换行分开"
            autosize
            minRows={2}
          />
          <CheckField name="by_periods" label="依次对应课程中还没有上的课时" />
          <Submit intent="preview" variant="default">
            预览
          </Submit>
          <Submit intent="add">保存排课</Submit>
        </Form>
      )}
    </Screen>
  );
}

/** Preview of the planned lessons with their clashes. */
function Plan({ plan }: { plan: LessonsPreview }) {
  const timezone = useTimezone();
  const time = (at: number) => localValue(at, timezone).slice(11, 16);
  return (
    <section aria-label="预览" role="status">
      <p>
        <strong>将排{plan.lessons.length}节课</strong>
      </p>
      {plan.effect && (
        <p>
          <strong>{plan.effect}。仍要保存请按“保存排课”。</strong>
        </p>
      )}
      <ol>
        {plan.lessons.map(({ start_time, end_time, chapter_title, clashes }) => (
          <li key={start_time}>
            {formatDay(start_time, timezone)} {time(start_time)}-{time(end_time)} {chapter_title}
            {clashes.map((clash) => (
              <div key={clash}>
                <strong>冲突：</strong>
                {clash}
              </div>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
