/** The page of an exam: header and four tabs. */
import { Button } from '@mantine/core';
import type { ExamInfo } from '#server/exams/contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Screen } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/detail';
import styles from './detail.analysis.module.css';
import { exportStudents, loadDetail } from './detail.server.ts';
import { PaperTab } from './papers.tsx';
import { QuestionTab } from './questions.tsx';
import { ScoreTab } from './scores.tsx';
import { type ExamTab, examDetail, examExport, examManage, examPreview, examTabs } from './screens.ts';
import { StudentTab } from './students.tsx';
import { limitText, publishStatusNames } from './terms.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '考试管理', href: examManage.href() }, { label: '考试详情' }] };

const tabNames: Record<ExamTab, string> = {
  paper: '试卷管理',
  score: '成绩统计',
  student: '学员统计',
  question: '题目统计',
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? titleMeta(tabNames[loaderData.shown.tab], loaderData.exam.name) : titleMeta('考试详情');

export const loader = ({ context, url }: Route.LoaderArgs) => loadDetail(context, url);

export const action = (form: Route.ActionArgs) => exportStudents(form);

export default function ExamDetail({ loaderData: detail }: Route.ComponentProps) {
  const { exam, shown, mayCorrect, timezone } = detail;
  return (
    <Screen>
      <Header exam={exam} />
      <Tabs
        label="考试"
        current={shown.tab}
        tabs={examTabs.map((tab) => ({ key: tab, label: tabNames[tab], href: examDetail.href({ id: exam.id, tab }) }))}
      />

      {shown.tab === 'paper' && <PaperTab exam={exam} shown={shown} mayCorrect={mayCorrect} timezone={timezone} />}
      {shown.tab === 'score' && <ScoreTab exam={exam} shown={shown} />}
      {shown.tab === 'student' && <StudentTab shown={shown} />}
      {shown.tab === 'question' && <QuestionTab shown={shown} />}
    </Screen>
  );
}

function Header({ exam }: { exam: ExamInfo }) {
  const facts: [string, string][] = [
    ['总分', formatScore(exam.score)],
    ['及格分', formatScore(exam.pass_score)],
    ['参加人数', `${exam.answer_users_num} 人`],
    ['考试时长', limitText(exam.limit_time)],
    ['题目数量', `${exam.ques_num} 题`],
  ];
  return (
    <header className={styles.header}>
      <div>
        <h1>
          {exam.name}
          {exam.status === 2 && (
            <>
              {' '}
              <Tag>{publishStatusNames[2]}</Tag>
            </>
          )}
        </h1>
        <Facts>
          {facts.map(([name, value]) => (
            <Fact key={name} term={name}>
              {value}
            </Fact>
          ))}
        </Facts>
        <details className={styles.more}>
          <summary>更多信息</summary>
          <Facts>
            <Fact term="考试分类">{exam.title || '-'}</Fact>
            <Fact term="学校">{exam.school_name}</Fact>
            {exam.introduce && <Fact term="说明">{exam.introduce}</Fact>}
          </Facts>
        </details>
      </div>
      <div className={styles.links}>
        <Button component="a" variant="default" href={examPreview.href({ id: exam.id })}>
          预览试卷
        </Button>
        <Button component="a" variant="default" href={examExport.href(examDetail.href({ id: exam.id }))}>
          导出题目
        </Button>
      </div>
    </header>
  );
}
