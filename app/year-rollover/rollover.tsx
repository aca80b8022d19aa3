/**
 * Form that plans the classes and courses of a school for the next term or year. The plan is checked before it is
 * applied.
 */

import { Button, NativeSelect, TextInput } from '@mantine/core';
import { data } from 'react-router';
import { rollOver, rollOverOptions, type WrittenRollOver } from '#server/year-rollover/contract.ts';
import { api } from '../api/client.server.ts';
import { importDetail, importScreen } from '../import/screens.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { idOf } from '../lib/search.ts';
import { readButton, readPostedForm, redirectWithMessage, refusedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { missingHolidays } from '../shell/missing-holidays.server.ts';
import { MissingHolidays } from '../shell/missing-holidays.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { AddressForm } from '../ui/address-form.tsx';
import { Empty } from '../ui/empty.tsx';
import { choicesOf } from '../ui/filter-form.tsx';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { planForm } from '../ui/plan-form.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/rollover';
import { importRollOver } from './screens.ts';
import { classFateChoices, parseClassFate } from './terms.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '导入', href: importScreen.href() }, { label: '学期更替' }] };

export const meta: Route.MetaFunction = () => titleMeta('学期更替');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, rollOver);
  const { school, grade, name } = importRollOver.at(url);
  const query = { school_id: school, grade_id: grade, name };
  return {
    options: await context.get(api).send(rollOverOptions, { query }),
    missing: await missingHolidays(context),
    grade,
    name,
    idempotencyKey: crypto.randomUUID(),
  };
}

type ClassField = `class-${number}-${'fate' | 'name' | 'grade_id' | 'kept' | 'kept_class_id'}`;
type CourseField = `course-${number}-${'copy' | 'title'}`;

/** Returns the ids of the records for which the form has fields. */
const idsIn = (form: FormData, kind: 'class' | 'course', field: string): number[] =>
  [...form.keys()].flatMap((name) => {
    const [, id] = new RegExp(`^${kind}-(\\d+)-${field}$`).exec(name) ?? [];
    return idOf(id) ?? [];
  });

function written(form: FormData): WrittenRollOver {
  const term = idOf(textOf(form, 'term_id'));
  return {
    school_id: idOf(textOf(form, 'school_id')),
    // Leaves out classes for which nothing was chosen.
    classes: idsIn(form, 'class', 'fate').flatMap((id) => {
      const fate = parseClassFate(textOf(form, `class-${id}-fate`));
      const kept = textOf(form, `class-${id}-kept`);
      if ((fate === undefined || fate === 'stay') && kept.trim() === '' && term === undefined) return [];
      return [
        {
          class_id: id,
          fate,
          name: textOf(form, `class-${id}-name`),
          grade_id: idOf(textOf(form, `class-${id}-grade_id`)),
          kept,
          kept_class_id: idOf(textOf(form, `class-${id}-kept_class_id`)),
        },
      ];
    }),
    disable: textOf(form, 'disable') === '1' ? 1 : undefined,
    courses: idsIn(form, 'course', 'copy').map((id) => ({
      course_id: id,
      title: textOf(form, `course-${id}-title`),
    })),
    term_id: term,
    first_day: textOf(form, 'first_day') || undefined,
    skip: textOf(form, 'skip'),
    follow: textOf(form, 'follow') === '1' ? 1 : undefined,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const body = written(form);
  const outcome = await context.get(api).ask(rollOver, { body, idempotencyKey: idempotencyField(form) });
  if (outcome.ok) return redirectWithMessage(context, outcome.msg, importDetail.href({ id: outcome.data.id }));
  // The call reports errors by index, but the form's fields are named by record ids.
  const errors = Object.fromEntries(
    Object.entries(outcome.errors ?? {}).map(([path, messages]) => {
      const [list, at, field] = path.split('.');
      const id = list === 'classes' ? body.classes[Number(at)]?.class_id : body.courses[Number(at)]?.course_id;
      const kind = list === 'classes' ? 'class' : 'course';
      return [at === undefined ? path : `${kind}-${id}-${field}`, messages];
    }),
  );
  const msg = outcome.errors?.form?.[0] ?? outcome.msg;
  const again = refusedForm({ ...outcome, msg, ...(outcome.errors && { errors }) }, form);
  return data(again.data, { status: outcome.status });
}

const { AreaField, CheckField, Form, SelectField, TextField } = formOf<typeof rollOver, ClassField | CourseField>();

export default function RollOver({ loaderData, actionData }: Route.ComponentProps) {
  const { options, missing, grade, name, idempotencyKey } = loaderData;
  const { schools, grades, terms, classes, courses, targets } = options;
  const values: Record<string, string | number> = {
    school_id: options.school_id,
    disable: '1',
    follow: '',
    term_id: '',
  };
  for (const { id, next_name, next_grade_id } of classes) {
    values[`class-${id}-fate`] = 'stay';
    values[`class-${id}-name`] = next_name;
    values[`class-${id}-grade_id`] = next_grade_id || '';
  }
  for (const { id, next_title } of courses) values[`course-${id}-title`] = next_title;
  return (
    <Screen title="学期更替" card>
      <p>升级、毕业、留级和复制课程会先检查，逐条列出变化，确认之后才生效；之后14天内可以撤销。</p>
      <AddressForm href={importRollOver.href()} label="选择学校、年级和课程">
        <div className={planForm.chooser}>
          {schools.length > 1 && (
            <NativeSelect
              name="school"
              aria-label="学校"
              defaultValue={options.school_id}
              data={schools.map(({ id, name: called }) => ({ value: String(id), label: called }))}
            />
          )}
          <NativeSelect
            name="grade"
            aria-label="年级"
            defaultValue={grade ?? ''}
            data={[
              { value: '', label: '全部年级' },
              ...grades.map(({ id, name: called }) => ({ value: String(id), label: called })),
            ]}
          />
          <TextInput name="name" aria-label="课程名称" placeholder="课程名称" defaultValue={name} />
          <Button type="submit" variant="default">
            查找
          </Button>
        </div>
      </AddressForm>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={values}
        draft={`roll-over of ${options.school_id} ${grade ?? ''}`}
        className={planForm.form}
        noValidate
      >
        <HiddenField name="school_id" />
        {terms.length > 0 && (
          <div className={planForm.row}>
            <SelectField
              name="term_id"
              label="新学期"
              placeholder="不指定"
              description="以下不毕业的班级都进入该学期，复制的课程从该学期第一天开始"
              choices={terms.map(({ id, name: called, first_day }) => [
                id,
                first_day ? `${called}（${first_day}起）` : called,
              ])}
            />
          </div>
        )}
        <h2>班级</h2>
        {options.more_classes > 0 && <p>还有{options.more_classes}个班级没有列出，请先选择年级。</p>}
        {classes.length === 0 && <Empty>没有在读的班级</Empty>}
        {classes.map(({ id, name: called, grade_name, students }) => (
          <fieldset key={id} className={planForm.row}>
            <legend data-written>
              {called}（{grade_name && `${grade_name}，`}
              {students}名学员）
            </legend>
            <SelectField name={`class-${id}-fate`} label="去向" choices={classFateChoices} />
            <TextField name={`class-${id}-name`} label="升级后的名称" autoComplete="off" />
            <SelectField
              name={`class-${id}-grade_id`}
              label="升级后的年级"
              placeholder="请选择"
              choices={choicesOf(grades)}
            />
            <TextField
              name={`class-${id}-kept`}
              label="留级的学员"
              description="姓名、学号或手机号，多人用顿号分开"
              autoComplete="off"
            />
            <SelectField
              name={`class-${id}-kept_class_id`}
              label="留级到"
              placeholder="请选择"
              choices={choicesOf(targets.filter((target) => target.id !== id))}
            />
          </fieldset>
        ))}
        {classes.length > 0 && <CheckField name="disable" label="毕业的学员停用账号，资料和成绩保留" />}
        <h2>复制课程</h2>
        {courses.length > 0 && <MissingHolidays of={missing} />}
        {options.more_courses > 0 && <p>还有{options.more_courses}门课程没有列出，请先按名称查找。</p>}
        {courses.length === 0 ? (
          <Empty>没有课程</Empty>
        ) : (
          <div className={planForm.row}>
            <TextField
              name="first_day"
              label="新课程从哪天开始"
              type="date"
              description="第一节课时在这一天或之后，每节课时的星期和时间不变；不填则为新学期的第一天"
            />
            <AreaField
              name="skip"
              label="跳过的日期"
              rows={2}
              description="遇到设置中的节假日和这些日期，之后的课时顺延一周"
              autoComplete="off"
            />
            <CheckField name="follow" label="上原课程的班级也上新课程（毕业的除外）" />
          </div>
        )}
        {courses.map(({ id, title, periods, first_day, last_day }) => (
          <fieldset key={id} className={planForm.row}>
            <legend data-written>
              {title}（{periods > 0 ? `${periods}节课时，${first_day}至${last_day}` : '没有课时'}）
            </legend>
            <CheckField name={`course-${id}-copy`} label="复制这门课程" />
            <TextField name={`course-${id}-title`} label="新课程名称" className={planForm.wide} autoComplete="off" />
          </fieldset>
        ))}
        <Submit>检查</Submit>
      </Form>
    </Screen>
  );
}
