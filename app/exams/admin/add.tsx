/** Form that adds an exam as a draft. */
import { addExam, examChoices } from '#server/exams/admin.contract.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formScreen } from '../../shell/form-screen.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { categoryChoices } from '../category.ts';
import { adminExams, examPaper } from '../screens.ts';
import { ExamFields, readExamMoments } from './exam-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '考试', href: adminExams.href() }, { label: '添加考试' }],
};

const screen = formScreen({
  call: addExam,
  back: () => adminExams.href(),
  title: '添加考试',
  submit: '保存，编辑试卷',
  draft: 'new exam',
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client }) => {
  const { schools, grades, classes, categories } = await client.send(examChoices);
  return {
    schools,
    audience: { grades, classes },
    categories: categoryChoices(categories),
    values: { school_ids: schools.length === 1 ? [schools[0]?.id ?? ''] : [], attempts: 1, audience: 'school' },
  };
});

export const action = dialogAction(screen, {
  body: (form, { context }) => readExamMoments(form, signedInPerson(context).settings.timezone),
  next: (_, added) => examPaper.href(added),
});

export default screen.page<typeof loader>((_, { schools, audience, categories }) => (
  <ExamFields schools={schools} audience={audience} categories={categories} />
));
