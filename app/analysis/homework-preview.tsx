/** HomeworkPreview: the questions of a homework. HomeworkDetail offers their download. */
import { previewHomework } from '#server/analysis/question.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { Empty } from '../ui/empty.tsx';
import { Screen } from '../ui/screen.tsx';
import { Toggle } from '../ui/toggle.tsx';
import type { Route } from './+types/homework-preview';
import { crumbsTo } from './crumbs.ts';
import { QuestionCard } from './question-card.tsx';
import { homeworkPreview } from './screens.ts';
import styles from './statistics.analysis.module.css';

export const handle: ScreenHandle = { crumbs: crumbsTo('作业预览') };

export const meta: Route.MetaFunction = () => titleMeta('作业预览');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { hw_id: hwId, answers } = homeworkPreview.at(url);
  const homework = await context.get(api).send(previewHomework, { params: { hwId } });
  return { hwId, homework, answers: answers === 1 };
}

export default function HomeworkPreview({ loaderData: { hwId, homework, answers } }: Route.ComponentProps) {
  const scored = homework.is_set_score === 2;
  const shown = answers ? undefined : 'hidden';
  return (
    <Screen>
      <header className={styles.header}>
        <h1>{homework.name}</h1>
        <p>
          作业预览：共 {homework.question_num} 题，
          {scored ? `总分 ${formatScore(homework.score)} 分` : '按正确率计分'}
          {homework.status === 2 && '（已撤回）'}
        </p>
        {!answers && (
          <p className={styles.writer}>
            {['姓名', '班级', '得分'].map((what) => (
              <span key={what}>{what}：</span>
            ))}
          </p>
        )}
        <Toggle label="显示答案" on={answers} href={homeworkPreview.href({ hw_id: hwId, answers: answers ? 0 : 1 })} />
      </header>
      {homework.question.map(({ ques_item, ...question }) => (
        <QuestionCard key={question.id} question={question} scored={scored} answers={shown}>
          {ques_item.length > 0 &&
            ques_item.map((item) => <QuestionCard key={item.id} question={item} scored={scored} answers={shown} />)}
        </QuestionCard>
      ))}
      {homework.question.length === 0 && <Empty>暂无题目</Empty>}
    </Screen>
  );
}
