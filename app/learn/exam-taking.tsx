/**
 * LearnExamTaking: one question of an exam that goes on. Whichever button is pressed saves it; so what was written is at the
 * school, whatever becomes of this device.
 */
import { data, redirect } from 'react-router';
import { textOf } from '../lib/form-data.ts';
import { idOf } from '../lib/search.ts';
import { pressed } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { Form, Submit } from '../ui/form.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/exam-taking';
import { answersOf, answersRefused, pictureFault, readAnswerForm } from './answer-form.server.ts';
import { Exam, Saved } from './answers.ts';
import { type LearnerClient, learner } from './client.server.ts';
import { ExamClock } from './exam-clock.tsx';
import styles from './learn.module.css';
import { fieldsOfAnswers, keptAnswer, unchangedAnswer } from './question-answer.ts';
import { QuestionFields, QuestionStem } from './question-fields.tsx';
import { learnExam, learnExamHandIn, learnExamTaking } from './screens.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => titled(loaderData?.name ?? '考试');

const { CheckField } = fieldsOf<never, 'is_sign'>();

/** The exam with all its questions, while it goes on. */
async function goingOn(client: LearnerClient, id: number) {
  const exam = await client.get(`exams/${id}`, Exam);
  return exam.attempt && { ...exam, questions: exam.paper?.flatMap((section) => section.questions) ?? [] };
}

/** There is no question to be shown any more; the error page shows what was written. */
const isOver = (id: number, msg = '作答时间已结束') => data({ msg, back: learnExam.href({ id }) }, { status: 409 });

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id, at } = learnExamTaking.at(url);
  const exam = await goingOn(context.get(learner), id);
  if (!exam) throw redirect(learnExam.href({ id }));
  const { name, attempt, questions, answers } = exam;
  const place = Math.min(at, questions.length);
  const known = new Map(answers.map((answer) => [answer.ques_id, answer]));
  return {
    id,
    name,
    place,
    ends_at: attempt?.ends_at ?? null,
    question: questions[place - 1],
    answer: known.get(questions[place - 1]?.id ?? 0),
    card: questions.map((question) => {
      const answer = known.get(question.id);
      return { id: question.id, sort: question.sort, isDone: !!answer?.user_answer, isMarked: answer?.is_sign === 1 };
    }),
  };
}

/** What a page was opened with: who only turns it over overwrites nothing that another device has saved since. */
const shownOf = (isSigned: number, answer: string): string => `${isSigned} ${answer}`;

export async function action({ request, context, url }: Route.ActionArgs) {
  const { id, at } = learnExamTaking.at(url);
  const client = context.get(learner);
  const form = await readAnswerForm({ request, context }, client);
  const [button, to] = pressed(form.fields, 'go', 'save', 'finish');
  const exam = await goingOn(client, id);
  const question = exam?.questions[Math.min(at, exam.questions.length) - 1];
  if (!question) throw isOver(id);
  const [answer] = answersOf([question], form);
  const sent = {
    ques_id: question.id,
    user_answer: answer?.user_answer ?? '',
    is_sign: form.fields.get('is_sign') === '1' ? 1 : 0,
    // What was sent from another page before comes too late then.
    serial: Date.now(),
  };
  const isChanged =
    textOf(form.fields, 'shown').replaceAll('\r\n', '\n') !== shownOf(sent.is_sign, keptAnswer(sent.user_answer));
  const saved = isChanged ? await client.post(`exams/${id}/answers`, { answers: [sent] }, Saved) : undefined;
  if (saved?.ok === false && saved.status === 409) throw isOver(id, saved.msg);
  const refused = saved?.ok === false ? saved : pictureFault(form);
  if (refused) return answersRefused(refused, form, [sent]);
  if (button === 'finish') throw redirect(learnExamHandIn.href({ id }));
  const next = (button === 'go' && idOf(to)) || at;
  throw redirect(learnExamTaking.href({ id, at: next }));
}

export default function LearnExamTaking({ loaderData, actionData: refused }: Route.ComponentProps) {
  const { id, name, place, ends_at, question, answer, card } = loaderData;
  if (!question) return <Screen title={name}>这份试卷还没有题目。</Screen>;
  const values = {
    ...fieldsOfAnswers([question], answer ? [answer] : []),
    is_sign: answer?.is_sign === 1 ? '1' : '',
  };
  return (
    <Screen>
      <header className={styles.head}>
        <p>
          <a href={learnExam.href({ id })}>返回考试</a>
        </p>
        <h1>{name}</h1>
        <p>
          第{place}题，共{card.length}题
        </p>
        {ends_at !== null && <ExamClock end={ends_at} />}
      </header>
      <Form
        key={question.id}
        action={learnExamTaking.href({ id, at: place })}
        encType="multipart/form-data"
        className={styles.form}
        refused={refused}
        values={values}
        noValidate
      >
        <input
          type="hidden"
          name="shown"
          value={shownOf(answer?.is_sign ?? 0, unchangedAnswer(question, answer?.user_answer ?? ''))}
        />
        <section className={styles.question}>
          <QuestionStem question={question} />
          <QuestionFields question={question} />
          <div className={styles.mark}>
            <CheckField name="is_sign" label="标记，稍后再看" />
          </div>
        </section>
        <div className={styles.deeds}>
          {/* The first is what Enter presses. */}
          {place < card.length && <Submit intent={`go ${place + 1}`}>下一题</Submit>}
          <Submit intent="save" variant="default">
            保存
          </Submit>
          {place > 1 && (
            <Submit intent={`go ${place - 1}`} variant="default">
              上一题
            </Submit>
          )}
          <Submit intent="finish" variant={place < card.length ? 'default' : undefined}>
            去交卷
          </Submit>
        </div>
        <fieldset className={styles.sheet}>
          <legend>答题卡（按题号保存本题并前往）</legend>
          {card.map(({ id: questionId, sort, isDone, isMarked }, index) => (
            <button
              key={questionId}
              type="submit"
              name="intent"
              value={`go ${index + 1}`}
              data-done={isDone || undefined}
              data-marked={isMarked || undefined}
              aria-current={index + 1 === place ? 'step' : undefined}
              aria-label={`第${sort}题，${isDone ? '已作答' : '未作答'}${isMarked ? '，已标记' : ''}`}
            >
              {sort}
            </button>
          ))}
        </fieldset>
      </Form>
    </Screen>
  );
}
