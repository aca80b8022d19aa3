/** Form that copies a course. Previews the days of the new periods first. */
import { courseChoices, showCourse } from '#server/courses/contract.ts';
import { courseTitleLimit } from '#server/courses/rules.ts';
import { copyCourse, previewCopy, type WrittenCopy } from '#server/courses/series.contract.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { findHolidayGaps } from '../shell/holiday-gaps.server.ts';
import { HolidayGapNotice } from '../shell/holiday-gaps.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { choicesOf } from '../ui/filter-form.tsx';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { recordFormClass } from '../ui/record-form.ts';
import { Screen } from '../ui/screen.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import type { Route } from './+types/copy';
import styles from './courses.posts.module.css';
import { handlePlan } from './plan.server.ts';
import { PlanTable } from './plan-table.tsx';
import { courseCopy, courseDetail, courseScreen } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '课程', href: courseScreen.href() }, { label: '复制课程' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta('复制课程', loaderData?.course.title);

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, copyCourse);
  const client = context.get(api);
  const [course, { lecturers }, missing] = await Promise.all([
    client.send(showCourse, { params: { id: courseCopy.at(url).id } }),
    client.send(courseChoices),
    findHolidayGaps(context),
  ]);
  return { course, lecturers, missing, idempotencyKey: crypto.randomUUID() };
}

const readCopyForm = (form: FormData): WrittenCopy => ({
  title: textOf(form, 'title'),
  first_day: textOf(form, 'first_day') || undefined,
  lecturer_id: Number(textOf(form, 'lecturer_id')) || undefined,
  skip: textOf(form, 'skip'),
  acknowledged: textOf(form, 'acknowledged'),
});

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const params = { id: courseCopy.at(url).id };
  return handlePlan(sent, {
    content: (form) => ({ ...readCopyForm(form), acknowledged: '' }),
    preview: (client, form) => client.ask(previewCopy, { params, body: readCopyForm(form) }),
    save: (client, form, idempotencyKey) =>
      client.ask(copyCourse, { params, body: readCopyForm(form), idempotencyKey }),
    next: ({ id }) => courseDetail.href({ id }),
  });
};

const { AreaField, Form, SelectField, TextField } = formOf<typeof copyCourse, 'shown'>();

export default function CopyCourse({ loaderData, actionData }: Route.ComponentProps) {
  const { course, lecturers, missing, idempotencyKey } = loaderData;
  const plan = actionData?.plan;
  return (
    <Screen title="复制课程" card>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ title: course.title }}
        draft={`copy of course ${course.id}`}
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
              <Submit intent="save">确定复制</Submit>
            </Toolbar>
          </>
        )}
        <div className={recordFormClass}>
          <Facts>
            <Fact term="原课程">
              <a href={courseDetail.href({ id: course.id })} data-written>
                {course.title}
              </a>
            </Fact>
            <Fact term="章节">{course.chapters}</Fact>
            <Fact term="课时">{course.periods}</Fact>
          </Facts>
          <p>章节、顺序和课时都会复制，课时按星期移到新的日期；班级和作业不复制。</p>
          <TextField name="title" label="新课程名称" withAsterisk limit={courseTitleLimit} autoComplete="off" />
          <TextField
            name="first_day"
            label="从这一天开始"
            type="date"
            withAsterisk
            description="第一节课时在这一天或之后，每节课时的星期和时间不变"
          />
          <AreaField
            name="skip"
            label="跳过的日期"
            rows={2}
            description="遇到设置中的节假日和这些日期，之后的课时顺延一周；如 2026-10-05，多个用逗号或换行分开"
            autoComplete="off"
          />
          <SelectField name="lecturer_id" label="讲师" placeholder="与原课程相同" choices={choicesOf(lecturers)} />
          <Submit intent="preview" variant={plan ? 'default' : undefined}>
            {plan ? '重新预览' : '预览'}
          </Submit>
        </div>
      </Form>
    </Screen>
  );
}
