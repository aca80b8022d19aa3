/** The paper of an exam with or without answers, and its PDF. */
import { Button } from '@mantine/core';
import { previewExam } from '#server/exams/paper.contract.ts';
import type { PaperVariant } from '#server/exams/rules.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { Empty } from '../ui/empty.tsx';
import { Form } from '../ui/form.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import { Screen } from '../ui/screen.tsx';
import { Toggle } from '../ui/toggle.tsx';
import type { Route } from './+types/preview';
import { paperDrawings } from './paper-drawings.server.ts';
import { PaperQuestion } from './paper-question.tsx';
import styles from './preview.work.module.css';
import { examDownload, examManage, examPreview } from './screens.ts';
import { limitText } from './terms.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '考试管理', href: examManage.href() }, { label: '试卷预览' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.paper.exam.name, '试卷预览');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id, answers } = examPreview.at(url);
  const paper = await context.get(api).send(previewExam, { params: { id } });
  return { paper, answers, drawings: paperDrawings(paper, answers ? 'answers' : 'columns') };
}

export default function ExamPaperPreview({ loaderData }: Route.ComponentProps) {
  const { paper, answers, drawings } = loaderData;
  const { exam, detail } = paper;
  const shown = answers ? 'shown' : 'hidden';
  return (
    <Screen className={styles.paper}>
      <header className={styles.header}>
        <h1>{exam.name}</h1>
        <dl className={styles.facts}>
          {[
            ['考试时长', limitText(exam.limit_time)],
            ['总分', `${formatScore(exam.score)} 分`],
            ['及格分', `${formatScore(exam.pass_score)} 分`],
            ['题数', `${exam.ques_num} 题`],
          ].map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {exam.introduce && <RichHtml html={exam.introduce} />}
      </header>
      <div className={`${styles.tools} no-print`}>
        <Toggle label="显示答案" on={answers} href={examPreview.href({ id: exam.id, answers: !answers })} />
        <Download id={exam.id} />
      </div>
      {detail.map(({ section, question }) => (
        <section key={section.id} aria-labelledby={`section-${section.id}`}>
          <h2 id={`section-${section.id}`} className={styles.section}>
            {section.name}
          </h2>
          {section.introduce && (
            <div className={styles.introduce}>
              <RichHtml html={section.introduce} />
            </div>
          )}
          {question.map(({ children, ...one }) => (
            <div key={one.id} className={styles.question}>
              <PaperQuestion question={one} answers={shown} drawings={drawings} scored>
                {children.length > 0 &&
                  children.map((part) => (
                    <PaperQuestion key={part.id} question={part} answers={shown} drawings={drawings} scored />
                  ))}
              </PaperQuestion>
            </div>
          ))}
          {question.length === 0 && <Empty>本部分暂无题目</Empty>}
        </section>
      ))}
      {detail.length === 0 && <Empty>暂无题目</Empty>}
    </Screen>
  );
}

const downloads: [PaperVariant, string][] = [
  ['paper', '试卷（不含答案）'],
  ['with-answers', '试卷（含答案与解析）'],
  ['answer-sheet', '答题卡'],
];

function Download({ id }: { id: number }) {
  return (
    <details className={styles.download} name="menu">
      <Button component="summary">下载试卷</Button>
      <Form action={examDownload.href({ id })} target="_blank" rel="noopener">
        {downloads.map(([variant, label]) => (
          <button key={variant} type="submit" name="intent" value={variant}>
            {label}
          </button>
        ))}
      </Form>
    </details>
  );
}
