/** AdminExamEdit: what is written of an exam, with what somebody else has made of it meanwhile. */
import { type ExamRecord, editExam, examChoices, showAdministeredExam } from '#server/exams/administered.contract.ts';
import { api } from '../../api/client.server.ts';
import { localValue } from '../../lib/dates.ts';
import { readLocalTime } from '../../lib/zoned.ts';
import { forbiddenBy, mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { titled } from '../../shell/title.ts';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField, HiddenFields } from '../../ui/hidden-fields.tsx';
import { Screen } from '../../ui/screen.tsx';
import { categoryChoices } from '../category.ts';
import { administeredExams, examEdit, examRecord } from '../screens.ts';
import type { Route } from './+types/edit';
import styles from './administered.module.css';
import { ExamFields, writtenExam } from './exam-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '考试', href: administeredExams.href() }, { label: '编辑考试' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titled('编辑考试', loaderData?.exam.name);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editExam);
  const client = context.get(api);
  const [exam, { schools, categories }] = await Promise.all([
    client.send(showAdministeredExam, { params: { id: examEdit.at(url).id } }),
    client.send(examChoices),
  ]);
  mustBeAllowed(context, forbiddenBy(exam.refusals.edit ?? undefined));
  const { timezone } = signedInPerson(context).settings;
  const momentOf = (at: number | null) => (at === null ? '' : localValue(at, timezone));
  return {
    exam,
    start_at: momentOf(exam.start_at),
    end_at: momentOf(exam.end_at),
    schools,
    categories: withPresent(categoryChoices(categories), exam),
    idempotencyKey: crypto.randomUUID(),
  };
}

/** What was put away since is no choice any more, but this exam's. */
function withPresent(choices: ReturnType<typeof categoryChoices>, { category_id, category_name }: ExamRecord) {
  if (category_id === null || choices.some(([id]) => id === category_id)) return choices;
  return [...choices, [category_id, category_name] as const];
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id } = examEdit.at(url);
  const { timezone } = signedInPerson(sent.context).settings;
  return takeEdit(sent, examRecord.href({ id }), (client, idempotencyKey, form) =>
    client.ask(editExam, {
      params: { id },
      body: writtenExam(form, (text) => readLocalTime(text, timezone)),
      idempotencyKey,
    }),
  );
};

const { Form } = formOf<typeof editExam>();

export default function ExamEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { exam, start_at, end_at, schools, categories, idempotencyKey } = loaderData;
  const { name, introduce, category_id, limit_minutes, attempts, seen, refusals } = exam;
  const published = exam.state !== 'draft';
  const school_ids = exam.schools.map(({ id }) => id);
  return (
    <Screen title="编辑考试" card>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{
          name,
          introduce,
          category_id,
          pass_score: exam.pass_score,
          limit_minutes,
          attempts,
          start_at,
          end_at,
          school_ids,
          seen,
        }}
        draft={`exam ${exam.id}`}
        className={styles.form}
        noValidate
      >
        <HiddenField name="seen" />
        {published && (
          <HiddenFields
            fields={[
              ['limit_minutes', String(limit_minutes)],
              ['attempts', String(attempts)],
              ['start_at', start_at],
              ['end_at', end_at],
              ...school_ids.map((id) => ['school_ids', String(id)] as const),
            ]}
          />
        )}
        <ExamFields
          schools={schools}
          categories={categories}
          published={published}
          passScoreFault={refusals.pass_score}
        />
        {published && (
          <p className={styles.note}>考试已发布：时间、时长、次数、学校和试卷不能修改，可以在详情中延长或结束。</p>
        )}
        <Submit>保存</Submit>
      </Form>
    </Screen>
  );
}
