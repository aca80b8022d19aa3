/** An exam of the learner: description, start, and result. */
import { Button } from '@mantine/core';
import { redirect } from 'react-router';
import { formatScore } from '#server/platform/text/rules.ts';
import { readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Form, Submit } from '../ui/form.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/exam';
import { Exam, StartedExam } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import { ExamClock } from './exam-clock.tsx';
import { withLearnerFiles } from './file-address.ts';
import styles from './learn.learn.module.css';
import { LearnerTime } from './moment.tsx';
import { AnsweredQuestion } from './question-result.tsx';
import { learnExam, learnExamHandIn, learnExams, learnExamTaking } from './screens.ts';
import { examStateNames } from './terms.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.exam.name ?? '考试');

export async function loader({ context, url }: Route.LoaderArgs) {
  return { exam: await context.get(learnerContext).get(`exams/${learnExam.at(url).id}`, Exam) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { id } = learnExam.at(url);
  readButton(await readPostedForm(request, context), 'start');
  const started = await context.get(learnerContext).post(`exams/${id}/start`, {}, StartedExam);
  if (!started.ok) return redirectBack(context, started, url);
  throw redirect(learnExamTaking.href({ id }));
}

export default function LearnerExam({ loaderData: { exam } }: Route.ComponentProps) {
  const { id, attempt, result, paper, handed_in, attempts } = exam;
  const goesOn = exam.may_go_on === 1;
  const isDone = !attempt && !goesOn && handed_in > 0;
  const mayStart = !attempt && exam.state === 'running' && (goesOn || attempts === 0 || handed_in < attempts);
  const questions = paper?.flatMap((section) => section.questions) ?? [];
  return (
    <Screen>
      <header className={styles.head}>
        <p>
          <a href={learnExams.href()}>返回考试</a>
        </p>
        <h1>{exam.name}</h1>
      </header>
      <section className={styles.card}>
        <Facts>
          <Fact term="状态">{attempt ? '作答中' : isDone ? '已交卷' : examStateNames[exam.state]}</Fact>
          <Fact term="题目">{exam.ques_num}题</Fact>
          {exam.score > 0 && (
            <>
              <Fact term="满分">{formatScore(exam.score)} 分</Fact>
              <Fact term="及格">{formatScore(exam.pass_score)} 分</Fact>
            </>
          )}
          <Fact term="时长">{exam.limit_time > 0 ? `${Math.floor(exam.limit_time / 60)}分钟` : '不限时'}</Fact>
          {exam.start_at !== null && (
            <Fact term="开始">
              <LearnerTime at={exam.start_at} />
            </Fact>
          )}
          {exam.end_at !== null && (
            <Fact term="结束">
              <LearnerTime at={exam.end_at} />
            </Fact>
          )}
          <Fact term="交卷">{attempts > 0 ? `${handed_in}次，最多${attempts}次` : `${handed_in}次`}</Fact>
        </Facts>
        {exam.introduce && <RichHtml html={withLearnerFiles(exam.introduce)} />}
        {mayStart && !isDone && <Begin again={goesOn} />}
        {attempt && (
          <div className={styles.deeds}>
            {attempt.ends_at !== null && <ExamClock id={id} end={attempt.ends_at} />}
            <Button component="a" href={learnExamTaking.href({ id })}>
              继续作答
            </Button>
            <Button component="a" href={learnExamHandIn.href({ id })} variant="default">
              交卷
            </Button>
          </div>
        )}
      </section>
      {result && (
        <section className={styles.card}>
          <p className={styles.score}>
            {result.user_score === null
              ? '已交卷，等待批改'
              : exam.score === 0
                ? '已批改'
                : `得分 ${formatScore(result.user_score)} 分，${result.is_pass === 1 ? '已及格' : '未及格'}`}
          </p>
          <p>
            交卷时间 <LearnerTime at={result.submit_time} />
          </p>
          {exam.comment && <p className={styles.said}>评语：{exam.comment}</p>}
          {result.user_score !== null && !paper && <p>正确答案与解析在考试结束后公布。</p>}
        </section>
      )}
      {mayStart && isDone && (
        <section className={styles.card}>
          <Form className={styles.deeds}>
            <Submit intent="start" variant="default">
              再考一次
            </Submit>
          </Form>
        </section>
      )}
      {!attempt &&
        questions.map((question, place) => {
          const { result: marked } = question;
          if (!marked) return null;
          const answer = { ...marked, right_shown: marked.answer_html };
          return (
            <AnsweredQuestion
              key={question.id}
              question={question}
              before={questions[place - 1]}
              answer={{ ...answer, result: answer }}
            />
          );
        })}
    </Screen>
  );
}

/**
 * Button that starts the exam. `again`: the server has submitted the exam at its end, which the school postponed since.
 */
const Begin = ({ again }: { again: boolean }) => (
  <Form className={styles.deeds}>
    <p>
      {again
        ? '考试时间已延长，可以接着已有的答案继续作答。'
        : '开始后由服务器计时，中途离开也不会停；答案每十秒保存一次，可以换一台设备继续。'}
    </p>
    <Submit intent="start">{again ? '继续作答' : '开始考试'}</Submit>
  </Form>
);
