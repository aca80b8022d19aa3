/**
 * Form that plans the classes and courses of a school for the next term or year. The plan is checked before it is
 * applied.
 */

import { Alert, Button, NativeSelect, TextInput } from '@mantine/core';
import { data } from 'react-router';
import {
  type RollOverOptions,
  rollOver,
  rollOverOptions,
  type WrittenRollOver,
} from '#server/year-rollover/contract.ts';
import { api } from '../api/client.server.ts';
import { importDetail } from '../import/screens.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { idOf } from '../lib/search.ts';
import { readButton, readPostedForm, redirectWithMessage, refusedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { findHolidayGaps } from '../shell/holiday-gaps.server.ts';
import { HolidayGapNotice } from '../shell/holiday-gaps.tsx';
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

export const handle: ScreenHandle = { crumbs: [{ label: '学期更替' }] };

export const meta: Route.MetaFunction = () => titleMeta('学期更替');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, rollOver);
  const { school, grade, name } = importRollOver.at(url);
  const query = { school_id: school, grade_id: grade, name };
  return {
    options: await context.get(api).send(rollOverOptions, { query }),
    missing: await findHolidayGaps(context),
    grade,
    name,
    idempotencyKey: crypto.randomUUID(),
  };
}

type GradeField = `grade-${number}-${'fate' | 'next_grade_id'}`;
type ClassField = `class-${number}-${'fate' | 'name' | 'grade_id' | 'kept' | 'kept_class_id'}`;
type CourseField = `course-${number}-${'copy' | 'title'}`;

/** Returns the ids of the records for which the form has fields. */
const idsIn = (form: FormData, kind: 'grade' | 'class' | 'course', field: string): number[] =>
  [...form.keys()].flatMap((name) => {
    const [, id] = new RegExp(`^${kind}-(\\d+)-${field}$`).exec(name) ?? [];
    // 0 means the classes without a grade.
    return id === '0' ? 0 : (idOf(id) ?? []);
  });

function readRollOverForm(form: FormData): WrittenRollOver {
  return {
    school_id: idOf(textOf(form, 'school_id')),
    grades: idsIn(form, 'grade', 'fate').map((id) => ({
      grade_id: id || undefined,
      fate: parseClassFate(textOf(form, `grade-${id}-fate`)),
      next_grade_id: idOf(textOf(form, `grade-${id}-next_grade_id`)),
    })),
    classes: idsIn(form, 'class', 'fate').map((id) => ({
      class_id: id,
      fate: parseClassFate(textOf(form, `class-${id}-fate`)),
      name: textOf(form, `class-${id}-name`),
      grade_id: idOf(textOf(form, `class-${id}-grade_id`)),
      kept: textOf(form, `class-${id}-kept`),
      kept_class_id: idOf(textOf(form, `class-${id}-kept_class_id`)),
    })),
    disable: textOf(form, 'disable') === '1' ? 1 : undefined,
    courses: idsIn(form, 'course', 'copy').map((id) => ({
      course_id: id,
      title: textOf(form, `course-${id}-title`),
    })),
    term_id: idOf(textOf(form, 'term_id')),
    first_day: textOf(form, 'first_day') || undefined,
    skip: textOf(form, 'skip'),
    follow: textOf(form, 'follow') === '1' ? 1 : undefined,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const body = readRollOverForm(form);
  const outcome = await context.get(api).ask(rollOver, { body, idempotencyKey: idempotencyField(form) });
  if (outcome.ok) return redirectWithMessage(context, outcome.msg, importDetail.href({ id: outcome.data.id }));
  // The call reports errors by index, but the form's fields are named by record ids.
  const errors = Object.fromEntries(
    Object.entries(outcome.errors ?? {}).map(([path, messages]) => {
      const [list, at, field] = path.split('.');
      if (list === 'grades') return [`grade-${body.grades[Number(at)]?.grade_id ?? 0}-${field}`, messages];
      const id = list === 'classes' ? body.classes[Number(at)]?.class_id : body.courses[Number(at)]?.course_id;
      const kind = list === 'classes' ? 'class' : 'course';
      return [at === undefined ? path : `${kind}-${id}-${field}`, messages];
    }),
  );
  const msg = outcome.errors?.form?.[0] ?? outcome.msg;
  const again = refusedForm({ ...outcome, msg, ...(outcome.errors && { errors }) }, form);
  return data(again.data, { status: outcome.status });
}

const { AreaField, CheckField, Form, SelectField, TextField } = formOf<
  typeof rollOver,
  GradeField | ClassField | CourseField
>();

export default function RollOver({ loaderData, actionData }: Route.ComponentProps) {
  const { options, missing, grade, name, idempotencyKey } = loaderData;
  const { schools, grades, terms, grade_plans: gradePlans, classes, courses, targets, earlier } = options;
  const values: Record<string, string | number> = {
    school_id: options.school_id,
    disable: '1',
    follow: options.follow ? '1' : '',
    term_id: options.term_id || '',
  };
  for (const { grade_id, fate, next_grade_id } of gradePlans) {
    values[`grade-${grade_id}-fate`] = fate;
    values[`grade-${grade_id}-next_grade_id`] = next_grade_id || '';
  }
  for (const { id, next_name, next_grade_id } of classes) {
    values[`class-${id}-fate`] = '';
    values[`class-${id}-name`] = next_name;
    values[`class-${id}-grade_id`] = next_grade_id || '';
  }
  for (const { id, next_title, is_usual } of courses) {
    values[`course-${id}-title`] = next_title;
    values[`course-${id}-copy`] = is_usual ? '1' : '';
  }
  const isRefused = (kind: 'class' | 'course') =>
    Object.keys(actionData?.errors ?? {}).some((name) => name.startsWith(`${kind}-`));
  return (
    <Screen title="学期更替" card>
      <p>升级、毕业、留级和复制课程会先检查，逐条列出变化，确认之后才生效；之后14天内可以撤销。</p>
      {earlier && (
        <Alert color="blue" role="note">
          {earlier.day}的学期更替已经升级{earlier.classes}个班级，再做一次不会重复升级。
          <a href={importDetail.href({ id: earlier.import_id })}>查看{earlier.day}的更替</a>
        </Alert>
      )}
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
              className={planForm.wide}
              description="不毕业的班级都进入该学期，复制的课程从该学期第一天开始"
              choices={terms.map(({ id, name: called, first_day }) => [
                id,
                first_day ? `${called}（${first_day}起）` : called,
              ])}
            />
          </div>
        )}
        <h2>年级</h2>
        {gradePlans.length === 0 && <Empty>没有在读的班级</Empty>}
        {gradePlans.map((plan) => (
          <GradeFields key={plan.grade_id} plan={plan} grades={grades} />
        ))}
        {classes.length > 0 && <CheckField name="disable" label="毕业的学员停用账号，资料和成绩保留" />}
        {classes.length > 0 && (
          <details className={planForm.details} open={isRefused('class')}>
            <summary>逐班调整：改名、留级，或与年级不同的去向</summary>
            {options.more_classes > 0 && (
              <p>还有{options.more_classes}个班级没有列出，它们的去向与年级相同；要逐班调整请先选择年级。</p>
            )}
            {classes.map(({ id, name: called, grade_name, students }) => (
              <fieldset key={id} className={planForm.row}>
                <legend data-written>
                  {called}（{grade_name && `${grade_name}，`}
                  {students}名学员）
                </legend>
                <SelectField
                  name={`class-${id}-fate`}
                  label="去向"
                  placeholder="与年级相同"
                  choices={classFateChoices}
                />
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
          </details>
        )}
        <h2>复制课程</h2>
        {courses.length > 0 && <HolidayGapNotice of={missing} />}
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
          </div>
        )}
        {courses.length > 0 && <CheckField name="follow" label="上原课程的班级也上新课程（毕业的除外）" />}
        {courses.length > 0 && (
          <details className={planForm.details} open={isRefused('course')}>
            <summary>
              选择课程和名称：已选{courses.filter(({ is_usual }) => is_usual === 1).length}门，共{courses.length}门
            </summary>
            {courses.map(({ id, title, periods, first_day, last_day }) => (
              <fieldset key={id} className={planForm.row}>
                <legend data-written>
                  {title}（{periods > 0 ? `${periods}节课时，${first_day}至${last_day}` : '没有课时'}）
                </legend>
                <CheckField name={`course-${id}-copy`} label="复制这门课程" />
                <TextField
                  name={`course-${id}-title`}
                  label="新课程名称"
                  className={planForm.wide}
                  autoComplete="off"
                />
              </fieldset>
            ))}
          </details>
        )}
        <Submit>检查</Submit>
      </Form>
    </Screen>
  );
}

interface GradeFieldsProps {
  plan: RollOverOptions['grade_plans'][number];
  grades: RollOverOptions['grades'];
}

function GradeFields({ plan: { grade_id, name, classes, students, next_grade_id }, grades }: GradeFieldsProps) {
  return (
    <fieldset className={planForm.row}>
      <legend data-written>
        {name || '没有年级'}（{classes}个班级，{students}名学员）
      </legend>
      <SelectField
        name={`grade-${grade_id}-fate`}
        label="去向"
        choices={grade_id === 0 ? classFateChoices.filter(([fate]) => fate !== 'promote') : classFateChoices}
      />
      {grade_id !== 0 && (
        <SelectField
          name={`grade-${grade_id}-next_grade_id`}
          label="升级后的年级"
          placeholder="请选择"
          description={next_grade_id === 0 ? '没有要升入的年级时，先在“基础资料”中添加' : undefined}
          choices={choicesOf(grades.filter(({ id }) => id !== grade_id))}
        />
      )}
    </fieldset>
  );
}
