/** ExamPaperPreview: the paper of an exam, with or without its answers, and its PDF. */
import { type ExamPaperPart, previewExam } from '#server/exams/paper.contract.ts';
import { examTypeName, type PaperVariant, toExamType } from '#server/exams/rules.ts';
import { shownScore } from '#server/platform/text/rules.ts';
import { QuestionCard } from '../analysis/question-card.tsx';
import { api } from '../api/client.server.ts';
import { drawMatching } from '../correction/matching.server.ts';
import { Matching, type MatchingDrawing } from '../correction/matching.tsx';
import { Attachments } from '../correction/question-view.tsx';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { Empty } from '../ui/empty.tsx';
import { Form } from '../ui/form.tsx';
import { buttonClass } from '../ui/native-look.ts';
import { RichHtml } from '../ui/rich-html.tsx';
import { Screen } from '../ui/screen.tsx';
import { Toggle } from '../ui/toggle.tsx';
import type { Route } from './+types/preview';
import styles from './preview.module.css';
import { examDownload, examManage, examPreview } from './screens.ts';
import { limitText } from './terms.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '考试管理', href: examManage.href() }, { label: '试卷预览' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => titled(loaderData?.paper.exam.name, '试卷预览');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id, answers } = examPreview.at(url);
  const paper = await context.get(api).send(previewExam, { params: { id } });
  const questions = paper.detail.flatMap(({ question }) => question.flatMap((one) => [one, ...one.children]));
  return {
    paper,
    answers,
    drawings: Object.fromEntries(
      questions.flatMap((question) => {
        const drawing = drawMatching(question, answers ? 'answers' : 'columns');
        return drawing ? [[question.id, drawing] as const] : [];
      }),
    ),
  };
}

export default function ExamPaperPreview({ loaderData }: Route.ComponentProps) {
  const { paper, answers } = loaderData;
  const { exam, detail } = paper;
  const shown = answers ? 'shown' : 'hidden';
  return (
    <Screen className={styles.paper}>
      <header className={styles.header}>
        <h1>{exam.name}</h1>
        <dl className={styles.facts}>
          {[
            ['考试时长', limitText(exam.limit_time)],
            ['总分', `${shownScore(exam.score)} 分`],
            ['及格分', `${shownScore(exam.pass_score)} 分`],
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
              <Question question={one} answers={shown} drawings={loaderData.drawings}>
                {children.length > 0 &&
                  children.map((part) => (
                    <Question key={part.id} question={part} answers={shown} drawings={loaderData.drawings} />
                  ))}
              </Question>
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
      <summary className={buttonClass('primary')}>下载试卷</summary>
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

interface QuestionProps {
  question: ExamPaperPart;
  answers: 'shown' | 'hidden';
  drawings: Record<number, MatchingDrawing>;
  children?: React.ReactNode;
}

function Question({ question, answers, drawings, children }: QuestionProps) {
  const drawing = drawings[question.id];
  const { sort, ques_type, attachments } = question;
  return (
    <QuestionCard
      question={{ ...question, number: sort }}
      scored
      kind={examTypeName(toExamType(ques_type), drawing !== undefined)}
      figure={drawing && <Matching drawing={drawing} />}
      more={
        <>
          {ques_type === 7 && <Blanks question={question} shown={answers === 'shown'} />}
          <Attachments files={attachments} />
        </>
      }
      answers={answers}
    >
      {children}
    </QuestionCard>
  );
}

/** What each blank of a fill-in question is worth, and its answer. */
function Blanks({ question, shown }: { question: ExamPaperPart; shown: boolean }) {
  const scores = question.answer_score.split('@@');
  const answers = [question.right_answer].flat();
  return (
    <ol className={styles.blanks} aria-label="各空">
      {scores.map((score, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a blank is its place.
        <li key={place}>
          第 {place + 1} 空（{shownScore(Number(score))} 分）
          {shown && <span className={styles.blank}>{answers[place]}</span>}
        </li>
      ))}
    </ol>
  );
}
