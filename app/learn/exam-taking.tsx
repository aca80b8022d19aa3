/**
 * One question of a running exam. Every button saves the answer, so that the school has it even if the device fails.
 */
import { data, redirect } from 'react-router';
import { idOf } from '../lib/search.ts';
import { flashMessage, readButton } from '../shell/form-action.server.ts';
import { titleMeta } from '../shell/title.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { Form, Submit } from '../ui/form.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/exam-taking';
import { type AnswerForm, pictureFault, readAnswerForm, refusedAnswerForm, typedTexts } from './answer-form.server.ts';
import { AnswerSaving, SaveState } from './answer-saving.tsx';
import type { Exam, Question } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import { answerFingerprint, isOtherDeviceConflict, loadRunningExam, saveAnswer } from './exam-answer.server.ts';
import { ExamClock } from './exam-clock.tsx';
import { withLearnerFiles } from './file-address.ts';
import styles from './learn.learn.module.css';
import { LearnerTime } from './moment.tsx';
import { formatSavedAnswer, OtherDevice } from './other-device.tsx';
import { fieldsOfAnswers, serializeSavedAnswer } from './question-answer.ts';
import { QuestionFields, QuestionStem } from './question-fields.tsx';
import { learnExam, learnExamHandIn, learnExamSave, learnExamTaking } from './screens.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.name ?? '考试');

const { CheckField } = fieldsOf<never, 'is_sign'>();

/** Error page for an exam that has ended. It shows the text that was typed last. */
const examOverPage = (id: number, form: AnswerForm, msg = '作答时间已结束') =>
  data({ msg, back: learnExam.href({ id }), written: typedTexts(form) }, { status: 409 });

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id, at } = learnExamTaking.at(url);
  const exam = await loadRunningExam(context.get(learnerContext), id);
  if (!exam) throw redirect(learnExam.href({ id }));
  const { name, attempt, questions, answers } = exam;
  const place = Math.min(at, questions.length);
  const known = new Map(answers.map((answer) => [answer.ques_id, answer]));
  const question = questions[place - 1];
  const answer = known.get(question?.id ?? 0);
  const section = exam.paper?.find((one) => one.questions.some(({ id: part }) => part === question?.id));
  return {
    id,
    name,
    place,
    started_at: attempt?.started_at ?? 0,
    ends_at: attempt?.ends_at ?? null,
    question,
    answer,
    shown:
      question && answerFingerprint(answer?.is_sign ?? 0, serializeSavedAnswer(question, answer?.user_answer ?? '')),
    section: section && { name: section.name, introduce: section.introduce },
    card: questions.map((question) => {
      const answer = known.get(question.id);
      return { id: question.id, sort: question.sort, isDone: !!answer?.user_answer, isMarked: answer?.is_sign === 1 };
    }),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { id, at } = learnExamTaking.at(url);
  const client = context.get(learnerContext);
  const form = await readAnswerForm({ request, context }, client);
  const [button, to] = readButton(form.fields, 'go', 'save', 'finish');
  const exam = await loadRunningExam(client, id);
  const question = exam?.questions[Math.min(at, exam.questions.length) - 1];
  if (!question) throw examOverPage(id, form);
  const { sent, outcome } = await saveAnswer(client, { id, question }, form);
  if (outcome?.ok === false && outcome.status === 409 && !isOtherDeviceConflict(outcome))
    throw examOverPage(id, form, outcome.msg);
  const refused = outcome?.ok === false ? outcome : pictureFault(form);
  if (refused) return refusedAnswerForm(refused, form, [sent]);
  if (button === 'save') flashMessage(context, 'success', '已保存');
  if (button === 'finish') throw redirect(learnExamHandIn.href({ id }));
  const next = (button === 'go' && idOf(to)) || at;
  throw redirect(learnExamTaking.href({ id, at: next }));
}

export default function LearnerExamTaking({ loaderData, actionData: refused }: Route.ComponentProps) {
  const { id, name, place, started_at, ends_at, question, answer, shown, section, card } = loaderData;
  if (!question) return <Screen title={name}>这份试卷还没有题目。</Screen>;
  const typed = refused?.typed && new URLSearchParams(refused.typed.map(([name, value]) => [name, value]));
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
        {ends_at !== null && <ExamClock id={id} end={ends_at} />}
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
        <input type="hidden" name="shown" value={shown} />
        <input type="hidden" name="version" value={answer?.version ?? 0} />
        <AnswerSaving
          name={`exam ${id} of ${started_at} question ${question.id}`}
          save={learnExamSave.href({ id, at: place })}
          refused={refused !== undefined}
        />
        {section && (
          <header className={styles.section}>
            <h2>{section.name}</h2>
            {section.introduce && <RichHtml html={withLearnerFiles(section.introduce)} />}
          </header>
        )}
        <section className={styles.question}>
          <QuestionStem question={question} />
          <QuestionFields question={question} />
          {typed && <OtherDevice question={question} typed={typed} saved={answer?.user_answer ?? ''} />}
          {answer && <Aside question={question} answer={answer} />}
          <div className={styles.mark}>
            <CheckField name="is_sign" label="标记，稍后再看" />
          </div>
        </section>
        <div className={styles.deeds}>
          <SaveState />
          {/* Enter in a field presses the first button. */}
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

/** Saved answers of other devices that were not used because of a conflict. They stay readable. */
function Aside({ question, answer }: { question: Question; answer: Exam['answers'][number] }) {
  if (answer.aside.length === 0) return null;
  return (
    <details className={styles.aside}>
      <summary>其他设备保存过、没有采用的答案</summary>
      <ul>
        {answer.aside.map(({ user_answer, saved_at }) => (
          <li key={`${saved_at} ${user_answer}`}>
            <LearnerTime at={saved_at} />：
            <span className={styles.said}>{formatSavedAnswer(question, user_answer)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
