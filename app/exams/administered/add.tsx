/** AdminExamAdd: a draft, whose paper is composed next. */
import { addExam, examChoices } from '#server/exams/administered.contract.ts';
import { api } from '../../api/client.server.ts';
import { readLocalTime } from '../../lib/zoned.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { titled } from '../../shell/title.ts';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { Screen } from '../../ui/screen.tsx';
import { categoryChoices } from '../category.ts';
import { administeredExams, examPaper } from '../screens.ts';
import type { Route } from './+types/add';
import styles from './administered.module.css';
import { ExamFields, writtenExam } from './exam-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '考试', href: administeredExams.href() }, { label: '添加考试' }],
};

export const meta: Route.MetaFunction = () => titled('添加考试');

export async function loader({ context }: Route.LoaderArgs) {
  mustBePermitted(context, addExam);
  const { schools, categories } = await context.get(api).send(examChoices);
  return { schools, categories: categoryChoices(categories), idempotencyKey: crypto.randomUUID() };
}

export const action = (sent: Route.ActionArgs) => {
  const { timezone } = signedInPerson(sent.context).settings;
  return takeEdit(
    sent,
    (added: { id: number }) => examPaper.href(added),
    (client, idempotencyKey, form) =>
      client.ask(addExam, { body: writtenExam(form, (text) => readLocalTime(text, timezone)), idempotencyKey }),
  );
};

const { Form } = formOf<typeof addExam>();

export default function ExamAdd({ loaderData, actionData }: Route.ComponentProps) {
  const { schools, categories, idempotencyKey } = loaderData;
  return (
    <Screen title="添加考试" card>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ school_ids: schools.length === 1 ? [schools[0]?.id ?? ''] : [], attempts: 1 }}
        draft="new exam"
        className={styles.form}
        noValidate
      >
        <ExamFields schools={schools} categories={categories} />
        <Submit>保存，编辑试卷</Submit>
      </Form>
    </Screen>
  );
}
