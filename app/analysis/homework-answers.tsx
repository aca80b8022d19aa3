/** HomeworkAnswerPreview: each question with the numbers of students by how they answered. */

import { classHomeworkHeader, type HomeworkHeader, homeworkHeader } from '#server/analysis/contract.ts';
import { type AnswerDetail, type AnswerGroup, questionAnswerCounts } from '#server/analysis/question.contract.ts';
import { homeworkMessages, recalledStatus } from '#server/homework/rules.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { Empty } from '../ui/empty.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/homework-answers';
import { crumbsTo } from './crumbs.ts';
import styles from './homework-answers.analysis.module.css';
import { populationText, RateWithSample } from './population.tsx';
import { QuestionCard } from './question-card.tsx';
import { isRateUnknown } from './rate-bar.tsx';
import { homeworkAnswers, type Scope, studentsByAnswer } from './screens.ts';
import statistics from './statistics.analysis.module.css';
import { answerGroupNames, answerGroups } from './terms.ts';

export const handle: ScreenHandle = { crumbs: crumbsTo('答题详情') };

export const meta: Route.MetaFunction = () => titleMeta('答题详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const place = homeworkAnswers.at(url);
  const { hw_id: hwId, class_id: classId } = place;
  const header =
    classId === 0
      ? ((await client.send(homeworkHeader, { params: { hwId } })) as HomeworkHeader)
      : await client.send(classHomeworkHeader, { params: { hwId, classId } });
  if (header.status === 2) return { place, header, questions: null };
  const questions = await client.send(questionAnswerCounts, { params: { hwId, classId: classId || '' } });
  return { place, header, questions };
}

export default function HomeworkAnswers({ loaderData: { place, header, questions } }: Route.ComponentProps) {
  return (
    <Screen>
      <header className={statistics.header}>
        <h1>{header.homework_name}</h1>
        <p>
          {header.class_name}
          {header.status !== recalledStatus &&
            `，${populationText({ submitted: header.submit, graded: header.revise })}`}
        </p>
      </header>
      {questions?.map((question, index) => (
        <Question
          key={question.id}
          question={question}
          place={place}
          scored={header.is_set_score === 2}
          opensMaterial={question.parent_id !== 0 && questions[index - 1]?.parent_id !== question.parent_id}
        />
      ))}
      {questions?.length === 0 && <Empty>暂无题目</Empty>}
      {!questions && <Empty>{homeworkMessages.recordsGone}</Empty>}
    </Screen>
  );
}

interface QuestionProps {
  question: AnswerDetail;
  place: Scope;
  scored: boolean;
  /** True for the first part of a material question: it shows the material. */
  opensMaterial: boolean;
}

function Question({ question, place, scored, opensMaterial }: QuestionProps) {
  const material = question.parent_ques_item;
  return (
    <>
      {opensMaterial && material && (
        <section className={styles.material} aria-label="材料">
          <h2>{question.number.split('.')[0]}. 材料题</h2>
          <RichHtml html={material.ques_stem} />
        </section>
      )}
      <QuestionCard
        question={question}
        scored={scored}
        aside={<Counts question={question} place={place} />}
        chosen={question.option_counts}
      />
    </>
  );
}

function Counts({ question, place }: { question: AnswerDetail; place: Scope }) {
  const counts: Record<AnswerGroup, number> = {
    right: question.right_count,
    part: question.part_count,
    wrong: question.wrong_count,
    answered: question.answered_count,
    unanswered: question.un_answer_count,
    waiting: question.waiting_count,
  };
  const marked = question.submitted - question.waiting_count;
  const title = `基于已提交的 ${question.submitted} 份作业`;
  return (
    <ul className={styles.counts} title={title}>
      {answerGroups
        .filter((group) => group !== 'waiting' || counts.waiting > 0)
        .map((group) => (
          <li key={group}>
            {answerGroupNames[group]}{' '}
            {counts[group] > 0 ? (
              <a href={studentsByAnswer.href(homeworkAnswers.href(place), { ques_id: question.id, group })}>
                {counts[group]} 人
              </a>
            ) : (
              '0 人'
            )}
          </li>
        ))}
      <li>
        平均正确率{' '}
        {isRateUnknown({ marked, waiting: question.waiting_count }) ? (
          '-'
        ) : (
          <RateWithSample percent={question.average_right_percent} n={marked} title={`基于已批改的 ${marked} 份作答`} />
        )}
      </li>
    </ul>
  );
}
