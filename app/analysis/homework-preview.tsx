/** HomeworkPreview (document 2, section 2.4): the questions of a homework. Downloading it is the detail's to offer. */
import { previewHomework } from '#server/analysis/contract.ts';
import { api } from '../api.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import type { Route } from './+types/homework-preview';
import { crumbsTo } from './crumbs.ts';
import { points } from './figures.tsx';
import { placeOf } from './place.server.ts';
import { QuestionCard } from './question-card.tsx';
import styles from './statistics.module.css';

export const handle: ScreenHandle = { crumbs: crumbsTo('作业预览') };

export const meta: Route.MetaFunction = () => [{ title: '作业预览 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const { hwId } = placeOf(url);
  return { homework: await context.get(api).send(previewHomework, { params: { hwId } }) };
}

export default function HomeworkPreview({ loaderData: { homework } }: Route.ComponentProps) {
  const scored = homework.is_set_score === 2;
  return (
    <main>
      <header className={styles.header}>
        <h1>{homework.name}</h1>
        <p>
          作业预览：共 {homework.question_num} 题，
          {scored ? `总分 ${points(homework.score)} 分` : '按正确率计分'}
          {homework.status === 2 && '（已撤回）'}
        </p>
      </header>
      {homework.question.map(({ ques_item, ...question }) => (
        <QuestionCard key={question.id} question={question} scored={scored}>
          {ques_item.length > 0 &&
            ques_item.map((item) => <QuestionCard key={item.id} question={item} scored={scored} />)}
        </QuestionCard>
      ))}
      {homework.question.length === 0 && <p className={styles.empty}>暂无题目</p>}
    </main>
  );
}
