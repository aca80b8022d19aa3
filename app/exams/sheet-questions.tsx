/** Questions of an answer sheet by section, each with answer, score and comment. */
import type { ExamSheet, SheetPart, SheetQuestion } from '#server/exams/paper.contract.ts';
import { examTypeName, fromExamType, isShownAsWrong } from '#server/exams/rules.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { describeMatching, Matching, type MatchingDrawing } from '../grading/matching.tsx';
import { Attachments, type ShownQuestion } from '../grading/question-view.tsx';
import { QuestionCard, QuestionFigures, SecondaryText } from '../grading/report-frame.tsx';
import { AnsweredQuestion } from '../grading/report-pieces.tsx';
import { questionAnchor } from '../grading/screens.ts';
import { Empty } from '../ui/empty.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import styles from './approve-view.work.module.css';

type Drawings = Record<number, MatchingDrawing>;

interface SheetQuestionsProps {
  sheet: ExamSheet;
  onlyWrong: boolean;
  drawings: Drawings;
}

export function SheetQuestions({ sheet, onlyWrong, drawings }: SheetQuestionsProps) {
  const shown = sheet.question.filter((question) => !onlyWrong || isShownAsWrong(question));
  return (
    <>
      {sheet.card_info.map(({ id, name }) => {
        const questions = shown.filter(({ section_id }) => section_id === id);
        return questions.length > 0 ? (
          <section key={id} aria-label={name}>
            <h2 className={styles.section}>{name}</h2>
            {questions.map((question) =>
              fromExamType(question.ques_type) === 6 ? (
                <Material key={question.id} question={question} drawings={drawings} />
              ) : (
                <Answered key={question.id} question={question} drawing={drawings[question.id]} />
              ),
            )}
          </section>
        ) : null;
      })}
      {shown.length === 0 && <Empty>{onlyWrong ? '没有错题' : '暂无题目'}</Empty>}
    </>
  );
}

function Material({ question, drawings }: { question: SheetQuestion; drawings: Drawings }) {
  return (
    <div className={styles.material}>
      <QuestionCard
        id={questionAnchor(question.id)}
        heading={
          <>
            <strong>第 {question.sort} 题</strong>
            <SecondaryText inline>材料题</SecondaryText>
            <SecondaryText inline>{formatScore(question.ques_score)} 分</SecondaryText>
          </>
        }
      >
        <RichHtml html={question.ques_stem} />
        <Attachments files={question.attachments} />
      </QuestionCard>
      {question.ques_item.map((part) => (
        <Answered key={part.id} question={part} drawing={drawings[part.id]} />
      ))}
    </div>
  );
}

function Answered({ question, drawing }: { question: SheetPart; drawing: MatchingDrawing | undefined }) {
  return (
    <AnsweredQuestion
      question={toShownQuestion(question)}
      rated={false}
      open={false}
      kind={examTypeName(question.ques_type, drawing !== undefined)}
      figure={drawing && <Matching drawing={drawing} />}
      given={drawing ? describeMatching(drawing.lines) : question.user_answer_text}
    >
      <Attachments files={question.attachments} />
      {question.average_rate !== null && (
        <QuestionFigures>
          <span>平均得分率 {question.average_rate.toFixed(1)}%</span>
        </QuestionFigures>
      )}
    </AnsweredQuestion>
  );
}

/** Converts a question's exam type code to the canonical code, which QuestionView needs. */
function toShownQuestion(question: SheetPart): ShownQuestion {
  const { answer_html, ques_type, ...rest } = question;
  return {
    ...rest,
    ques_type: fromExamType(ques_type) as ShownQuestion['ques_type'],
    right_answer_shown: answer_html,
    parent_id: null,
    parent_ques_item: '',
    is_review: question.status === 4 ? 2 : 1,
  };
}
