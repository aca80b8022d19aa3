/** The learner's start page: the next homework, exams and lessons, and the number of unread notices. */
import { titleMeta } from '../shell/title.ts';
import { Empty } from '../ui/empty.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/home';
import { allRows } from './all-rows.server.ts';
import { ExamList, type ExamRow, HomeworkList, Lessons, NoticeList } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import { ExamRows } from './exams.tsx';
import { HomeworkRows } from './homework-list.tsx';
import { useLearner } from './layout.tsx';
import styles from './learn.learn.module.css';
import { LessonRows } from './lessons.tsx';
import { learnNotices } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('学习');

/** Maximum number of rows of each kind. */
const maxShown = 5;

export async function loader({ context }: Route.LoaderArgs) {
  const client = context.get(learnerContext);
  const [homework, exams, lessons, notices] = await Promise.all([
    allRows(client, 'homework?state=open', HomeworkList),
    allRows(client, 'exams', ExamList),
    client.get('lessons', Lessons),
    allRows(client, 'notices', NoticeList),
  ]);
  return {
    homework: homework.sort((a, b) => a.ending_time - b.ending_time).slice(0, maxShown),
    exams: exams.filter(isToBeTaken).slice(0, maxShown),
    lessons: lessons.list.filter(({ end, is_cancelled }) => end > lessons.now && is_cancelled === 0).slice(0, maxShown),
    unread: notices.filter(({ read_at }) => read_at === null).length,
  };
}

const isToBeTaken = ({ attempt, may_go_on, state, attempts, handed_in }: ExamRow): boolean =>
  attempt !== null || may_go_on === 1 || (state === 'running' && (attempts === 0 || handed_in < attempts));

export default function LearnerHome({ loaderData: { homework, exams, lessons, unread } }: Route.ComponentProps) {
  const me = useLearner();
  const isFree = homework.length === 0 && exams.length === 0;
  return (
    <Screen title={me ? `${me.nickname}，你好` : '学习'}>
      {unread > 0 && (
        <p>
          <a href={learnNotices.href()}>{unread}条公告未读</a>
        </p>
      )}
      {isFree && <Empty>没有要交的作业，也没有要参加的考试</Empty>}
      {exams.length > 0 && (
        <section className={styles.part}>
          <h2>可以参加的考试</h2>
          <ExamRows rows={exams} />
        </section>
      )}
      {homework.length > 0 && (
        <section className={styles.part}>
          <h2>要交的作业</h2>
          <HomeworkRows rows={homework} />
        </section>
      )}
      {lessons.length > 0 && (
        <section className={styles.part}>
          <h2>接下来的课</h2>
          <LessonRows rows={lessons} />
        </section>
      )}
    </Screen>
  );
}
