/** A homework of the learner: the form to answer it, or its result. */

import { redirect } from 'react-router';
import { blankSentence } from '#server/grading/rules.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { schoolTime } from '../api/process.server.ts';
import { textOf } from '../lib/form-data.ts';
import { flashMessage, readButton } from '../shell/form-action.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Form, Submit } from '../ui/form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/homework';
import { pictureFault, readAnswerForm, readAnswers, refusedAnswerForm } from './answer-form.server.ts';
import { AnswerSaving, SaveState } from './answer-saving.tsx';
import { Homework, HomeworkDraft, SubmittedHomework } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import styles from './learn.learn.module.css';
import { LearnerTime, TimeUntil } from './moment.tsx';
import { OtherDevice } from './other-device.tsx';
import { fieldsOfAnswers } from './question-answer.ts';
import { QuestionFields, QuestionStem } from './question-fields.tsx';
import { AnsweredQuestion } from './question-result.tsx';
import { learnHomework, learnHomeworkList, learnHomeworkSave } from './screens.ts';
import { homeworkStateNames } from './terms.ts';
import { timeSpent } from './time-spent.server.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.homework.name ?? '作业');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id, ask } = learnHomework.at(url);
  const homework = await context.get(learnerContext).get(`homework/${id}`, Homework);
  const given = new Set(homework.draft?.answers.map(({ ques_id }) => ques_id));
  const left = ask === 1 && homework.state === 'open' ? unansweredNumbers(homework.questions, given) : [];
  return { homework, opened: schoolTime(), asked: left.length > 0 ? unanswered(left) : undefined };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { id } = learnHomework.at(url);
  const client = context.get(learnerContext);
  const form = await readAnswerForm({ request, context }, client);
  const { fields } = form;
  const [button] = readButton(fields, 'save', 'hand-in');
  const { questions } = await client.get(`homework/${id}`, Homework);
  const answers = readAnswers(questions, form);
  const content = { answer_time: timeSpent(fields), answers };
  const version = Number(textOf(fields, 'version')) || 0;
  const save = () => client.post(`homework/${id}/draft`, { version, ...content }, HomeworkDraft);

  const given = new Set(answers.map(({ ques_id }) => ques_id));
  const left = unansweredNumbers(questions, given);
  const isUnsure = left.length > 0 && textOf(fields, 'acknowledged') !== left.join();
  if (button === 'save' || pictureFault(form) || isUnsure) {
    const saved = await save();
    if (!saved.ok) return refusedAnswerForm(saved, form, answers);
    const fault = pictureFault(form);
    if (fault) return refusedAnswerForm(fault, form, answers);
    // The confirmation has an address of its own, so that the browser's Back does not post the form again.
    if (button === 'hand-in') throw redirect(learnHomework.href({ id, ask: 1 }));
    flashMessage(context, 'success', '草稿已保存');
    throw redirect(learnHomework.href({ id }));
  }
  // Unanswered questions are handed in as blank, even if an earlier answer to them was saved.
  const open = questions.filter(({ id: one }) => !given.has(one));
  const whole = [...answers, ...open.map(({ id: ques_id }) => ({ ques_id, user_answer: null }))];
  const sent = { ...content, version, answers: whole, confirm_blank: 1 };
  const handedIn = await client.post(`homework/${id}/submission`, sent, SubmittedHomework);
  if (!handedIn.ok) return refusedAnswerForm(handedIn, form, answers);
  flashMessage(context, 'success', handedIn.msg);
  throw redirect(learnHomework.href({ id }));
}

const unansweredNumbers = (questions: Homework['questions'], given: ReadonlySet<number>): string[] =>
  questions.filter(({ id }) => !given.has(id)).map(({ sort }) => sort);

const unanswered = (left: readonly string[]): RefusedForm => ({
  msg: `${blankSentence(left.length)}第${left.join('、')}题没有作答。草稿已保存；确认提交的，请再按一次“提交作业”`,
  // The form sends this list back as the learner's confirmation of the unanswered questions.
  errors: { acknowledged: [left.join()] },
});

export default function LearnerHomework({ loaderData, actionData }: Route.ComponentProps) {
  const { homework, opened, asked } = loaderData;
  const refused = actionData ?? asked;
  const { id, name, course, period_title, state, ending_time, remark, questions } = homework;
  const isWritten = state === 'open' || refused !== undefined;
  return (
    <Screen>
      <header className={styles.head}>
        <p>
          <a href={learnHomeworkList.href({ state: state === 'open' ? 'open' : 'done' })}>返回作业</a>
        </p>
        <h1>{name}</h1>
        <p>
          {course.name}
          {period_title && ` · ${period_title}`}
        </p>
        {state === 'open' ? (
          <p>
            截止 <TimeUntil at={ending_time} over="已截止" />
          </p>
        ) : (
          <p>
            {homeworkStateNames[state]}，截止时间 <LearnerTime at={ending_time} />
          </p>
        )}
        {remark && <p className={styles.said}>{remark}</p>}
      </header>
      {homework.result && <Outcome homework={homework} />}
      {state === 'missed' && <p>没有提交的作业不公布正确答案与解析，有疑问请联系老师。</p>}
      {state === 'graded' && homework.answers_shown === 0 && <p>正确答案与解析在截止后公布。</p>}
      {isWritten ? (
        <Write key={id} homework={homework} opened={opened} refused={refused} />
      ) : (
        questions.map((question, place) => (
          <AnsweredQuestion
            key={question.id}
            question={question}
            before={questions[place - 1]}
            rated={homework.is_set_score === 1}
            answer={{ ...question, result: question.result ? resultOf(question) : undefined }}
          />
        ))
      )}
    </Screen>
  );
}

const resultOf = ({ result, ...question }: Homework['questions'][number]) =>
  result ? { ...question, ...result, right_shown: result.right_answer_shown } : undefined;

function Outcome({ homework: { result, is_set_score } }: { homework: Homework }) {
  if (!result) return null;
  return (
    <section className={styles.card}>
      <p className={styles.score}>
        {is_set_score === 1
          ? `正确率 ${result.correct_rate}%`
          : `得分 ${formatScore(result.user_score)} / ${formatScore(result.sum_score)} 分`}
      </p>
      {result.comment && <p className={styles.said}>评语：{result.comment}</p>}
    </section>
  );
}

interface WriteProps {
  homework: Homework;
  opened: number;
  refused: RefusedForm | undefined;
}

function Write({ homework: { id, questions, draft, is_set_score }, opened, refused }: WriteProps) {
  const typed = refused?.typed && new URLSearchParams(refused.typed.map(([name, value]) => [name, value]));
  const [acknowledged] = refused?.errors?.acknowledged ?? [];
  const saved = new Map(draft?.answers.map(({ ques_id, user_answer }) => [ques_id, user_answer]));
  return (
    <Form
      encType="multipart/form-data"
      className={styles.form}
      refused={refused}
      values={fieldsOfAnswers(questions, draft?.answers ?? [])}
      noValidate
    >
      <input type="hidden" name="version" value={draft?.version ?? 0} />
      {!typed?.has('spent') && <input type="hidden" name="spent" value={draft?.answer_time ?? 0} />}
      {!typed?.has('opened') && <input type="hidden" name="opened" value={opened} />}
      {['spent', 'opened'].map((name) =>
        typed?.has(name) ? <input key={name} type="hidden" name={name} value={typed.get(name) ?? ''} /> : null,
      )}
      {acknowledged && <input type="hidden" name="acknowledged" value={acknowledged} />}
      <AnswerSaving name={`homework ${id}`} save={learnHomeworkSave.href({ id })} refused={refused !== undefined} />
      {acknowledged && (
        <p className={styles.links}>
          未作答：
          {questions.map(
            ({ id: one, sort }) =>
              acknowledged.split(',').includes(sort) && (
                <a key={one} href={`#question-${one}`}>
                  第{sort}题
                </a>
              ),
          )}
        </p>
      )}
      {draft && !refused && (
        <p>
          上次保存：
          <LearnerTime at={draft.saved_at} />
        </p>
      )}
      {questions.map((question, place) => (
        <section key={question.id} id={`question-${question.id}`} className={styles.question}>
          <QuestionStem question={question} before={questions[place - 1]} rated={is_set_score === 1} />
          <QuestionFields question={question} />
          {typed && <OtherDevice question={question} typed={typed} saved={saved.get(question.id) ?? ''} />}
        </section>
      ))}
      <div className={styles.deeds}>
        <SaveState />
        <Submit intent="save" variant="default">
          保存草稿
        </Submit>
        <Submit intent="hand-in">提交作业</Submit>
      </div>
    </Form>
  );
}
