/** The fields of the homework itself: where it goes, what it is called, until when. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { noChildren } from '#server/homework/rules.ts';
import { formatTime } from '../../lib/dates.ts';
import { useTimezone } from '../../shell/use-school.ts';
import { controlClass } from '../../ui/control.ts';
import { Field } from '../../ui/field.tsx';
import { homeworkTypeNames } from '../terms.ts';
import { homeworkRemarkLimit, nameLimit, type PublishForm } from './form.ts';
import styles from './publish.module.css';
import type { Choices, FormErrors } from './view.ts';

interface FieldsProps {
  form: PublishForm;
  choices: Choices;
  errors: FormErrors;
  /** Client JS runs: what depends on a choice follows it by itself. */
  hydrated: boolean;
}

export function PublishFields(props: FieldsProps) {
  const { form, choices, errors } = props;
  return (
    <section className={styles.card} aria-label="作业信息">
      <CourseField {...props} />
      {choices.session ? <SessionScope {...props} /> : <ScopeFields {...props} />}
      {choices.classes.length > 1 && <ClassFields {...props} />}
      <div className={styles.columns}>
        <Choice
          label="作业类型"
          name="type"
          value={form.type}
          options={[
            ['1', homeworkTypeNames[1]],
            ['2', homeworkTypeNames[2]],
          ]}
          errors={errors}
        />
        <PeriodField {...props} />
        <Field label="作业名称" id="name" error={errors.name?.[0]} hint={`不超过${nameLimit}个字`} required>
          {/* One more than the limit may be typed, so that the API's message can be seen, and nothing is cut off. */}
          <input
            id="name"
            name="name"
            defaultValue={form.name}
            className={controlClass}
            {...described('name', errors)}
            autoComplete="off"
          />
        </Field>
        <Field label="截止时间" id="ending_time" error={errors.ending_time?.[0]} hint="不能早于昨天" required>
          <input
            type="datetime-local"
            id="ending_time"
            name="ending_time"
            defaultValue={form.ending_time}
            className={controlClass}
            {...described('ending_time', errors)}
          />
        </Field>
      </div>
      <Field label="备注" id="remark" error={errors.remark?.[0]} hint={`不超过${homeworkRemarkLimit}个字`}>
        <textarea
          id="remark"
          name="remark"
          rows={2}
          defaultValue={form.remark}
          className={controlClass}
          {...described('remark', errors)}
        />
      </Field>
      <Choice
        label="题目分数"
        name="is_set_score"
        value={form.is_set_score}
        options={[
          ['2', '设置分数'],
          ['1', '不设置分数（按正确率批改）'],
        ]}
        errors={errors}
      />
    </section>
  );
}

const described = (id: string, errors: FormErrors) =>
  errors[id] ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {};

function CourseField({ form, choices: { course, session }, errors }: FieldsProps) {
  return (
    <Group label="课程" name="course_basis_id" errors={errors} required>
      <input type="hidden" name="course_basis_id" value={course ? course.id : form.course_basis_id} />
      <span className={course ? styles.course : styles.unset}>
        {course ? (course.parent_title ? `${course.parent_title} / ${course.title}` : course.title) : '未选择'}
      </span>
      {!session && (
        <Button type="submit" name="op" value="course" id="course_basis_id" variant="default">
          {course ? '更换课程' : '选择课程'}
        </Button>
      )}
    </Group>
  );
}

function SessionScope({ choices: { session, classes } }: FieldsProps) {
  const timezone = useTimezone();
  if (!session) return null;
  return (
    <Group label="发布到" name="publish_scope" errors={{}}>
      <input type="hidden" name="publish_scope" value="3" />
      <span>
        {classes.map(({ name }) => name).join('、') || session.class_name}，课次{' '}
        {formatTime(session.arrange_time, timezone)}
      </span>
    </Group>
  );
}

const scopes = [
  ['1', '全部子课程'],
  ['2', '部分子课程'],
  ['3', '仅当前课程'],
] as const;

function ScopeFields({ form, choices: { course, children }, errors, hydrated }: FieldsProps) {
  const isChildless = course !== null && children.length === 0 && form.publish_scope !== '3';
  const shown = isChildless ? { ...errors, publish_scope: [noChildren] } : errors;
  return (
    <>
      <Choice label="发布范围" name="publish_scope" value={form.publish_scope} options={scopes} errors={shown}>
        {!hydrated && (
          <Button type="submit" name="op" value="keep" variant="default">
            更新可选班级
          </Button>
        )}
      </Choice>
      {children.length > 0 && (
        <Group
          label="子课程"
          name="child_course_basis_ids"
          isPlace
          errors={errors}
          className={styles.onlyChosenChildren}
        >
          {children.map(({ id, title }) => (
            <label key={id}>
              <input
                type="checkbox"
                name="child_course_basis_ids"
                value={id}
                defaultChecked={form.child_course_basis_ids.includes(String(id))}
              />
              {title}
            </label>
          ))}
        </Group>
      )}
    </>
  );
}

function ClassFields({ form, choices: { classes }, errors }: FieldsProps) {
  return (
    <>
      <Choice
        label="发布班级"
        name="class_choice"
        value={form.class_choice}
        options={[
          ['all', `全部班级（${classes.length}个）`],
          ['some', '部分班级，其余班级稍后继续发布'],
        ]}
        errors={errors}
      />
      <Group label="班级" name="class_ids" isPlace errors={errors} className={styles.onlySomeClasses}>
        {classes.map(({ id, name, students_count }) => (
          <label key={id}>
            <input type="checkbox" name="class_ids" value={id} defaultChecked={form.class_ids.includes(String(id))} />
            {name}
            <span className={styles.count}>{students_count} 人</span>
          </label>
        ))}
      </Group>
    </>
  );
}

function PeriodField({ form, choices: { course, periods }, errors }: FieldsProps) {
  const hint = course ? (periods.length === 0 ? '该课程暂无课时' : undefined) : '请先选择课程';
  const severalCourses = new Set(periods.map(({ course_id }) => course_id)).size > 1;
  return (
    <div className={styles.onlyPeriodHomework}>
      <Field label="课时" id="course_periods_id" error={errors.course_periods_id?.[0]} hint={hint} required>
        <select
          id="course_periods_id"
          name="course_periods_id"
          defaultValue={form.course_periods_id}
          className={controlClass}
          {...described('course_periods_id', errors)}
        >
          <option value="">请选择</option>
          {periods.map(({ id, title, course_title, is_mine }) => (
            <option key={id} value={id}>
              {severalCourses ? `${course_title} / ${title}` : title}
              {is_mine ? '（我的课时）' : ''}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}

interface GroupProps {
  label: string;
  name: string;
  errors: FormErrors;
  required?: boolean;
  /** Where the message's link leads: no single control stands for the group. */
  isPlace?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** A line of controls under one label, with its message. */
function Group({ label, name, errors, required, isPlace, className = '', children }: GroupProps) {
  const message = errors[name]?.[0];
  return (
    <fieldset
      id={isPlace ? name : undefined}
      tabIndex={isPlace ? -1 : undefined}
      className={`${styles.group} ${className}`}
      aria-describedby={message ? `${name}-error` : undefined}
    >
      <legend>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </legend>
      <div>{children}</div>
      {message && (
        <p className={styles.error} id={`${name}-error`}>
          {message}
        </p>
      )}
    </fieldset>
  );
}

interface ChoiceProps {
  label: string;
  name: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  errors: FormErrors;
  children?: ReactNode;
}

function Choice({ label, name, value, options, errors, children }: ChoiceProps) {
  return (
    <Group label={label} name={name} errors={errors} required>
      {options.map(([option, text], index) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            value={option}
            id={index === 0 ? name : undefined}
            defaultChecked={value === option}
          />
          {text}
        </label>
      ))}
      {children}
    </Group>
  );
}
