/** Form that adds or edits a period. */

import { listChapters } from '#server/courses/chapters.contract.ts';
import { courseChoices, showCourse } from '#server/courses/contract.ts';
import { addPeriod, editPeriod, showPeriod } from '#server/courses/periods.contract.ts';
import { periodTitleLimit } from '#server/courses/rules.ts';
import { api } from '../api/client.server.ts';
import { localValue } from '../lib/dates.ts';
import { handleEdit } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { recordFormClass } from '../ui/record-form.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/period-form';
import { PeriodFields, readPeriod } from './period-fields.tsx';
import { courseDetail, courseScreen, periodAdd, periodEdit } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '课程', href: courseScreen.href() }, { label: '课时' }],
};

const titleOf = (isNew: boolean) => (isNew ? '添加课时' : '编辑课时');

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titleMeta(titleOf(loaderData?.period === undefined), loaderData?.period?.title);

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, addPeriod);
  const client = context.get(api);
  const { timezone } = signedInPerson(context).settings;
  const isNew = periodAdd.covers(url.pathname);
  const period = isNew ? undefined : await client.send(showPeriod, { params: { id: periodEdit.at(url).id } });
  const params = { id: period?.course_id ?? periodAdd.at(url).course_id };
  const [course, chapters, { lecturers }] = await Promise.all([
    client.send(showCourse, { params }),
    client.send(listChapters, { params }),
    client.send(courseChoices),
  ]);
  return { period, course, chapters, lecturers, timezone, idempotencyKey: crypto.randomUUID() };
}

export const action = async ({ url, ...sent }: Route.ActionArgs) => {
  const { timezone } = signedInPerson(sent.context).settings;
  if (periodAdd.covers(url.pathname)) {
    const { course_id: id } = periodAdd.at(url);
    return handleEdit<unknown>(sent, courseDetail.href({ id }), (client, idempotencyKey, form) =>
      client.ask(addPeriod, { params: { id }, body: readPeriod(form, timezone), idempotencyKey }),
    );
  }
  const { id } = periodEdit.at(url);
  const { course_id } = await sent.context.get(api).send(showPeriod, { params: { id } });
  return handleEdit<unknown>(sent, courseDetail.href({ id: course_id }), (client, idempotencyKey, form) =>
    client.ask(editPeriod, { params: { id }, body: readPeriod(form, timezone), idempotencyKey }),
  );
};

const { DateTimeField, Form, TextField } = formOf<typeof editPeriod>();

export default function PeriodForm({ loaderData, actionData }: Route.ComponentProps) {
  const { period, course, chapters, lecturers, timezone, idempotencyKey } = loaderData;
  const given = period?.lecturer_id ?? null;
  const isGone = given !== null && !lecturers.some(({ id }) => id === given);
  const offered = isGone ? [{ id: given, name: `${period?.lecturer_name}（已停用）` }, ...lecturers] : lecturers;
  return (
    <Screen title={titleOf(period === undefined)} card>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={
          period
            ? {
                title: period.title,
                chapter_id: period.chapter_id,
                lecturer_id: given,
                periods_type: period.periods_type,
                start_play: localValue(period.start_play, timezone),
                minutes: period.minutes,
                advance_time: period.advance_time,
                allow_enter: period.allow_enter,
                is_playback: period.is_playback,
                periods_extend: period.periods_extend,
                seen: period.seen,
              }
            : { periods_type: course.course_type, minutes: 90, advance_time: 10 }
        }
        draft={period ? `period ${period.id}` : `period of ${course.id}`}
        className={recordFormClass}
        noValidate
      >
        <HiddenField name="seen" />
        <HiddenField name="acknowledged" />
        <Facts>
          <Fact term="课程">
            <a href={courseDetail.href({ id: course.id })} data-written>
              {course.title}
            </a>
          </Fact>
          {period?.student_code && <Fact term="学员口令">{period.student_code}</Fact>}
        </Facts>
        <TextField name="title" label="课时名称" withAsterisk limit={periodTitleLimit} autoComplete="off" />
        <DateTimeField name="start_play" label="开始时间" withAsterisk />
        <PeriodFields
          chapters={chapters}
          lecturers={offered}
          type={period?.periods_type ?? course.course_type}
          courseType={course.course_type}
        />
        <Submit>{period ? '保存' : '添加课时'}</Submit>
      </Form>
    </Screen>
  );
}
