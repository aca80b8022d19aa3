/** Fields of the homework itself: course, scope, name, deadline. */
import type { publishHomework } from '#server/homework/publication.contract.ts';
import { publicationMessages, rightAnswers } from '#server/homework/rules.ts';
import { formatTime } from '../../lib/dates.ts';
import { momentFieldOf } from '../../ui/client/date-field.tsx';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { useTimezone } from '../../ui/use-school.ts';
import { homeworkTypeNames } from '../terms.ts';
import type { DeadlinePreset } from './deadlines.ts';
import { homeworkNameLimit, homeworkRemarkLimit, type PublishForm } from './form.ts';
import styles from './publish.work.module.css';
import { audienceOf, type Choices } from './view.ts';

const { AreaField, ChecksField, GroupField, RadioField, SelectField, TextField } = formOf<
  typeof publishHomework,
  'class_choice'
>();
const MomentField = momentFieldOf<typeof publishHomework>();

interface FieldsProps {
  form: PublishForm;
  choices: Choices;
  presets: DeadlinePreset[];
  /** True with client JS. Fields that depend on others then update by themselves. */
  hydrated: boolean;
}

export function PublishFields(props: FieldsProps) {
  const { choices, presets } = props;
  return (
    <section className={styles.card} aria-label="作业信息">
      <CourseField {...props} />
      {choices.session ? <SessionScope {...props} /> : <ScopeFields {...props} />}
      {!choices.session && choices.classes.length > 0 && <ClassFields {...props} />}
      <div className={styles.columns}>
        <RadioField
          name="type"
          label="作业类型"
          withAsterisk
          inline
          choices={[
            [1, homeworkTypeNames[1]],
            [2, homeworkTypeNames[2]],
          ]}
        />
        <PeriodField {...props} />
        {/* The field has no maxlength, so that nothing is cut off silently. A text that is too long shows the API's message. */}
        <TextField name="name" label="作业名称" withAsterisk limit={homeworkNameLimit} autoComplete="off" />
        <div>
          <MomentField
            name="ending_time"
            label="截止时间"
            withAsterisk
            description={publicationMessages.deadlineRule}
          />
          <div className={styles.presets}>
            {presets.map(({ label, value }) => (
              <Submit key={value} intent={`deadline ${value}`} data-op={`deadline ${value}`} variant="default">
                {label}
              </Submit>
            ))}
          </div>
        </div>
      </div>
      <AreaField name="remark" label="备注" limit={homeworkRemarkLimit} rows={2} />
      <RadioField
        name="is_set_score"
        label="题目分数"
        withAsterisk
        inline
        choices={[
          [2, '设置分数'],
          [1, '不设置分数（按正确率批改）'],
        ]}
      />
      <RadioField
        name="right_answers"
        label="学员查看正确答案"
        inline
        choices={[
          [rightAnswers.afterDeadline, '批改完成且截止后'],
          [rightAnswers.onceGraded, '批改后立即可见'],
        ]}
      />
    </section>
  );
}

function CourseField({ form, choices: { course, session } }: FieldsProps) {
  return (
    <GroupField name="course_basis_id" label="课程" withAsterisk inline>
      <input type="hidden" name="course_basis_id" value={course ? course.id : form.course_basis_id} />
      <span className={course ? styles.course : styles.unset}>
        {course ? (course.parent_title ? `${course.parent_title} / ${course.title}` : course.title) : '未选择'}
      </span>
      {!session && (
        <Submit intent="course" variant="default">
          {course ? '更换课程' : '选择课程'}
        </Submit>
      )}
    </GroupField>
  );
}

function SessionScope({ choices: { session, classes } }: FieldsProps) {
  const timezone = useTimezone();
  if (!session) return null;
  return (
    <GroupField name="publish_scope" label="发布到" inline>
      <input type="hidden" name="publish_scope" value="3" />
      <span>
        {classes.map(({ name }) => name).join('、') || session.class_name}，课次{' '}
        {formatTime(session.arrange_time, timezone)}
      </span>
    </GroupField>
  );
}

function ScopeFields({ choices: { children, reach }, hydrated }: FieldsProps) {
  const withClasses = (label: string, classes: number | undefined) =>
    classes === undefined ? (
      label
    ) : (
      <>
        {label} <span className={styles.count}>{classes}个班</span>
      </>
    );
  const scopes = [
    ['1', withClasses('全部子课程', reach[1])],
    ['2', '部分子课程'],
    ['3', withClasses('仅当前课程', reach[3])],
  ] as const;
  return (
    <>
      <RadioField name="publish_scope" label="发布范围" withAsterisk inline choices={scopes}>
        {!hydrated && (
          <Submit intent="keep" variant="default">
            更新可选班级
          </Submit>
        )}
      </RadioField>
      {children.length > 0 && (
        <ChecksField
          name="child_course_basis_ids"
          label="子课程"
          inline
          className={styles.onlyChosenChildren}
          choices={children.map(({ id, title }) => [id, title] as const)}
        />
      )}
    </>
  );
}

function ClassFields({ form, choices }: FieldsProps) {
  const { classes } = choices;
  const isNone = form.class_choice === 'some' && form.class_ids.length > 0 && audienceOf(form, choices).length === 0;
  return (
    <>
      <RadioField
        name="class_choice"
        label="发布班级"
        description={isNone ? '所选课程中没有原来的班级，请勾选班级' : undefined}
        withAsterisk
        inline
        choices={[
          ['all', `全部班级（${classes.length}个）`],
          ['some', '部分班级，其余班级稍后继续发布'],
        ]}
      />
      <p className={styles.onlyAllClasses}>{classes.map(({ name }) => name).join('、')}</p>
      <ChecksField
        name="class_ids"
        label="班级"
        inline
        className={styles.onlySomeClasses}
        choices={classes.map(({ id, name, students_count }) => [
          id,
          <>
            {name} <span className={styles.count}>{students_count} 人</span>
          </>,
        ])}
      />
    </>
  );
}

function PeriodField({ choices: { course, periods } }: FieldsProps) {
  const hint = course ? (periods.length === 0 ? '该课程暂无课时' : undefined) : '请先选择课程';
  const severalCourses = new Set(periods.map(({ course_id }) => course_id)).size > 1;
  return (
    <SelectField
      name="course_periods_id"
      label="课时"
      withAsterisk
      description={hint}
      className={styles.onlyPeriodHomework}
      placeholder="请选择"
      choices={periods.map(({ id, title, course_title, is_mine }) => {
        const ofCourse = severalCourses ? `${course_title} / ${title}` : title;
        return [id, is_mine ? `${ofCourse}（我的课时）` : ofCourse] as const;
      })}
    />
  );
}
