/** Fields of an exam without its paper, used when adding and editing one. */
import type { editExam } from '#server/exams/admin.contract.ts';
import { examIntroduceLimit, examNameLimit, maxAttempts, maxLimitMinutes } from '#server/exams/rules.ts';
import { textOf } from '../../lib/form-data.ts';
import { readLocalTime } from '../../lib/zoned.ts';
import { fieldsOf } from '../../ui/fields-of.ts';
import { choicesOf } from '../../ui/filter-form.tsx';
import { audienceChoices } from '../terms.ts';
import styles from './admin.posts.module.css';

const { AreaField, ChecksField, DateTimeField, RadioField, SelectField, TextField } = fieldsOf<typeof editExam>();

/** Grades and classes to choose from. */
interface Audience {
  grades: { id: number; name: string }[];
  classes: { id: number; name: string }[];
}

interface ExamFieldsProps {
  schools: { id: number; name: string }[];
  audience: Audience;
  categories: readonly (readonly [id: number, label: string])[];
  /** True for a published exam, some of whose fields can no longer change and are left out. */
  published?: boolean;
  /** Why the pass score can no longer change. */
  passScoreFault?: string | null;
}

export function ExamFields({ schools, audience, categories, published, passScoreFault }: ExamFieldsProps) {
  return (
    <>
      <TextField name="name" label="考试名称" withAsterisk limit={examNameLimit} autoComplete="off" />
      <SelectField name="category_id" label="考试分类" placeholder="无" choices={categories} />
      <TextField
        name="pass_score"
        label="及格分"
        withAsterisk
        inputMode="decimal"
        autoComplete="off"
        readOnly={Boolean(passScoreFault)}
        description={passScoreFault}
      />
      {!published && (
        <>
          <TextField
            name="limit_minutes"
            label="考试时长（分钟）"
            inputMode="numeric"
            autoComplete="off"
            description={`0到${maxLimitMinutes}，不填或0为不限时`}
          />
          <DateTimeField name="start_at" label="开始时间" description="不填则发布后即可作答" />
          <DateTimeField name="end_at" label="结束时间" description="不填则没有结束时间" />
          <TextField
            name="attempts"
            label="答题次数"
            inputMode="numeric"
            autoComplete="off"
            description={`每名学员可以提交几次，0到${maxAttempts}，不填为1次，0为不限次`}
          />
          <ChecksField name="school_ids" label="学校" withAsterisk inline choices={choicesOf(schools)} />
        </>
      )}
      <div className={styles.audience}>
        <RadioField name="audience" label="考试对象" withAsterisk inline choices={audienceChoices} />
        <div data-for="grade">
          <ChecksField
            name="grade_ids"
            label="年级"
            inline
            choices={choicesOf(audience.grades)}
            description="选择后成为这些年级现在的全部班级"
          />
        </div>
        <div data-for="class">
          <ChecksField name="class_ids" label="班级" inline choices={choicesOf(audience.classes)} />
        </div>
      </div>
      <AreaField name="introduce" label="考试说明" rows={4} limit={examIntroduceLimit} />
    </>
  );
}

/** Reads start and end in the school's time zone. Null if empty, and 0 if invalid: the API refuses 0. */
export function readExamMoments(form: FormData, timezone: string) {
  const momentOf = (name: string) => {
    const text = textOf(form, name);
    return text === '' ? null : (readLocalTime(text, timezone) ?? 0);
  };
  return { start_at: momentOf('start_at'), end_at: momentOf('end_at') };
}
