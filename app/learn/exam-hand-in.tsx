/** Page that confirms handing in an exam. It lists the unanswered questions first. */

import { redirect } from 'react-router';
import { blankSentence } from '#server/grading/rules.ts';
import { readButton, readPostedForm, redirectBack, redirectWithMessage } from '../shell/form-action.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Form, Submit } from '../ui/form.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/exam-hand-in';
import { Exam, SubmittedExam } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import { ExamClock } from './exam-clock.tsx';
import styles from './learn.learn.module.css';
import { learnExam, learnExamHandIn, learnExamTaking } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('交卷');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id } = learnExamHandIn.at(url);
  const { name, attempt, paper, answers } = await context.get(learnerContext).get(`exams/${id}`, Exam);
  if (!attempt) throw redirect(learnExam.href({ id }));
  const known = new Map(answers.map(({ ques_id, ...answer }) => [ques_id, answer]));
  const questions = (paper?.flatMap((section) => section.questions) ?? []).map((question, index) => {
    const answer = known.get(question.id);
    return { at: index + 1, sort: question.sort, isDone: !!answer?.user_answer, isMarked: answer?.is_sign === 1 };
  });
  return { id, name, ends_at: attempt.ends_at, questions };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { id } = learnExamHandIn.at(url);
  readButton(await readPostedForm(request, context), '');
  const outcome = await context
    .get(learnerContext)
    .post(`exams/${id}/submission`, { answers: [], confirm_blank: 1 }, SubmittedExam);
  const exam = learnExam.href({ id });
  return outcome.ok
    ? redirectWithMessage(context, outcome.msg, exam)
    : redirectBack(context, outcome, new URL(exam, url));
}

export default function LearnerExamHandIn({ loaderData: { id, name, ends_at, questions } }: Route.ComponentProps) {
  const open = questions.filter(({ isDone }) => !isDone);
  const marked = questions.filter(({ isMarked }) => isMarked);
  const links = (some: typeof questions) =>
    some.map(({ at, sort }) => (
      <a key={at} href={learnExamTaking.href({ id, at })}>
        第{sort}题
      </a>
    ));
  return (
    <Screen className={styles.card} title={`交卷：${name}`}>
      <p>
        已作答{questions.length - open.length}题，共{questions.length}题。
      </p>
      {ends_at !== null && <ExamClock id={id} end={ends_at} />}
      {open.length > 0 && <p className={styles.links}>未作答：{links(open)}</p>}
      {marked.length > 0 && <p className={styles.links}>已标记：{links(marked)}</p>}
      <p>{open.length > 0 ? blankSentence(open.length) : '确定交卷吗？'}交卷后不能再修改。</p>
      <Form className={styles.deeds}>
        <Submit>确定交卷</Submit>
        <a href={learnExamTaking.href({ id })}>返回作答</a>
      </Form>
    </Screen>
  );
}
