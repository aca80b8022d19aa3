/** Form that adds several periods at once. Previews their days first. */

import { listChapters } from '#server/courses/chapters.contract.ts';
import { courseChoices, showCourse } from '#server/courses/contract.ts';
import { seriesLimit } from '#server/courses/rules.ts';
import { addPeriods, previewPeriods, type WrittenSeries } from '#server/courses/series.contract.ts';
import { api } from '../api/client.server.ts';
import { localDay } from '../lib/dates.ts';
import { textOf } from '../lib/form-data.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { findHolidayGaps } from '../shell/holiday-gaps.server.ts';
import { HolidayGapNotice } from '../shell/holiday-gaps.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { recordFormClass } from '../ui/record-form.ts';
import { Screen } from '../ui/screen.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { useNow, useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/series';
import styles from './courses.posts.module.css';
import { PeriodFields, readCommonFields } from './period-fields.tsx';
import { handlePlan } from './plan.server.ts';
import { PlanTable } from './plan-table.tsx';
import { courseDetail, courseScreen, periodSeries } from './screens.ts';
import { weekdayChoices } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '课程', href: courseScreen.href() }, { label: '批量添加课时' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta('批量添加课时', loaderData?.course.title);

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, addPeriods);
  const client = context.get(api);
  const params = { id: periodSeries.at(url).course_id };
  const [course, chapters, { lecturers }, missing] = await Promise.all([
    client.send(showCourse, { params }),
    client.send(listChapters, { params }),
    client.send(courseChoices),
    findHolidayGaps(context),
  ]);
  return { course, chapters, lecturers, missing, idempotencyKey: crypto.randomUUID() };
}

const readSeriesForm = (form: FormData): WrittenSeries => ({
  ...readCommonFields(form),
  titles: textOf(form, 'titles'),
  weekdays: form.getAll('weekdays').map(Number),
  time: textOf(form, 'time'),
  first_day: textOf(form, 'first_day') || undefined,
  last_day: textOf(form, 'last_day') || undefined,
  count: Number(textOf(form, 'count')) || undefined,
  skip: textOf(form, 'skip'),
});

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const params = { id: periodSeries.at(url).course_id };
  return handlePlan(sent, {
    content: (form) => ({ ...readSeriesForm(form), acknowledged: '' }),
    preview: (client, form) => client.ask(previewPeriods, { params, body: readSeriesForm(form) }),
    save: (client, form, idempotencyKey) =>
      client.ask(addPeriods, { params, body: readSeriesForm(form), idempotencyKey }),
    next: () => courseDetail.href(params),
  });
};

const { AreaField, ChecksField, Form, NumberField, TextField } = formOf<typeof addPeriods, 'shown'>();

export default function PeriodSeries({ loaderData, actionData }: Route.ComponentProps) {
  const { course, chapters, lecturers, missing, idempotencyKey } = loaderData;
  const today = localDay(useNow(), useTimezone());
  const plan = actionData?.plan;
  return (
    <Screen title="批量添加课时" card>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{
          periods_type: course.course_type,
          minutes: 90,
          advance_time: 10,
          time: '19:00',
          first_day: today,
        }}
        draft={`periods of ${course.id}`}
        className={styles.series}
        noValidate
      >
        <HiddenField name="acknowledged" />
        <HiddenField name="shown" />
        <HolidayGapNotice of={missing} planned={plan} />
        {plan && (
          <>
            <PlanTable plan={plan} />
            <Toolbar>
              <Submit intent="save">添加{plan.list.length}节课时</Submit>
            </Toolbar>
          </>
        )}
        <div className={recordFormClass}>
          <Facts>
            <Fact term="课程">
              <a href={courseDetail.href({ id: course.id })} data-written>
                {course.title}
              </a>
            </Fact>
            <Fact term="已有课时">{course.periods}</Fact>
          </Facts>
          <ChecksField name="weekdays" label="星期" withAsterisk inline choices={weekdayChoices} />
          <TextField name="time" label="上课时间" type="time" withAsterisk />
          <TextField name="first_day" label="从这一天开始" type="date" withAsterisk />
          <NumberField
            name="count"
            label="节数"
            min={1}
            max={seriesLimit}
            inputMode="numeric"
            description="节数和结束日期填写其中一项"
          />
          <TextField name="last_day" label="结束日期" type="date" />
          <AreaField
            name="skip"
            label="跳过的日期"
            rows={2}
            description="设置中的节假日自动跳过，调休按设置的课表；另有的填写，如 2026-10-05，多个用逗号或换行分开"
            autoComplete="off"
          />
          <AreaField
            name="titles"
            label="课时名称"
            rows={4}
            description="每行一个，按顺序使用；没有写的按“第几讲”命名"
            autoComplete="off"
          />
          <PeriodFields
            chapters={chapters}
            lecturers={lecturers}
            type={course.course_type}
            courseType={course.course_type}
          />
          <Submit intent="preview" variant={plan ? 'default' : undefined}>
            {plan ? '重新预览' : '预览'}
          </Submit>
        </div>
      </Form>
    </Screen>
  );
}
