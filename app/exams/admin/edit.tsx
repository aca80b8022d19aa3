/** Edits an exam's data. If somebody else saved meanwhile, shows both versions of the fields. */
import { type ExamRecord, editExam, examChoices, showAdminExam } from '#server/exams/admin.contract.ts';
import { localValue } from '../../lib/dates.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formScreen } from '../../shell/form-screen.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { forbiddenIfFault } from '../../shell/permissions.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import { categoryChoices } from '../category.ts';
import { adminExams, examEdit, examRecord } from '../screens.ts';
import styles from './admin.posts.module.css';
import { ExamFields, readExamMoments } from './exam-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '考试', href: adminExams.href() }, { label: '编辑考试' }],
};

const screen = formScreen({
  call: editExam,
  params: examEdit.at,
  back: (url) => examRecord.href(examEdit.at(url)),
  title: '编辑考试',
  submit: '保存',
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client, context, params }) => {
  const [exam, { schools, grades, classes, categories }] = await Promise.all([
    client.send(showAdminExam, { params }),
    client.send(examChoices),
  ]);
  const { timezone } = signedInPerson(context).settings;
  const momentOf = (at: number | null) => (at === null ? '' : localValue(at, timezone));
  const { id, name, introduce, category_id, pass_score, limit_minutes, attempts, seen, refusals } = exam;
  const planned = {
    limit_minutes,
    attempts,
    start_at: momentOf(exam.start_at),
    end_at: momentOf(exam.end_at),
    school_ids: exam.schools.map((school) => school.id),
  };
  const class_ids = exam.classes.map((one) => one.id);
  const given = { audience: class_ids.length > 0 ? 'class' : 'school', class_ids };
  return {
    subject: name,
    published: exam.state !== 'draft',
    planned,
    passScoreFault: refusals.pass_score,
    schools,
    audience: { grades, classes: withEnded(classes, exam) },
    categories: withPresent(categoryChoices(categories), exam),
    values: { name, introduce, category_id, pass_score, ...planned, ...given, seen },
    draft: `exam ${id}`,
    refusal: forbiddenIfFault(refusals.edit ?? undefined),
  };
});

/** Adds the exam's classes that have ended, because the choices lack ended classes. */
function withEnded(choices: { id: number; name: string }[], { classes }: ExamRecord) {
  const known = new Set(choices.map(({ id }) => id));
  return [...choices, ...classes.filter(({ id }) => !known.has(id))];
}

/** Adds the exam's own category if it is archived, because the choices lack archived categories. */
function withPresent(choices: ReturnType<typeof categoryChoices>, { category_id, category_name }: ExamRecord) {
  if (category_id === null || choices.some(([id]) => id === category_id)) return choices;
  return [...choices, [category_id, category_name] as const];
}

export const action = dialogAction(screen, {
  body: (form, { context }) => readExamMoments(form, signedInPerson(context).settings.timezone),
});

export default screen.page<typeof loader>(
  (_, { published, planned, passScoreFault, schools, audience, categories }) => (
    <>
      {published && (
        <HiddenFields
          fields={Object.entries(planned).flatMap(([name, value]) =>
            [value].flat().map((one) => [name, String(one)] as const),
          )}
        />
      )}
      <ExamFields
        schools={schools}
        audience={audience}
        categories={categories}
        published={published}
        passScoreFault={passScoreFault}
      />
      {published && (
        <p className={styles.note}>
          考试已发布：时间、时长、次数、学校和试卷不能修改，可以在详情中延长或结束。已有学员作答的班级不能取消。
        </p>
      )}
    </>
  ),
);
