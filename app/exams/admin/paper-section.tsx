/** A section of the paper of an exam. In a draft it has fields for scores, and buttons for the section and its questions. */
import type { ExamPaper, ExamPaperPart, ExamPaperQuestion } from '#server/exams/paper.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import type { MatchingDrawing } from '../../grading/matching.tsx';
import { MoveTo } from '../../questions/move-to.tsx';
import { controlClass } from '../../ui/control.ts';
import { Empty } from '../../ui/empty.tsx';
import { useField } from '../../ui/form-state.ts';
import { RichHtml } from '../../ui/rich-html.tsx';
import { rowActionClass } from '../../ui/row-action.tsx';
import { PaperQuestion } from '../paper-question.tsx';
import styles from './admin.posts.module.css';

/** The name of a score field is this prefix and the question id. */
export const scorePrefix = 'score-';

export const placeField = (id: number) => `place-${id}`;

type Section = ExamPaper['detail'][number];

interface PaperSectionProps extends Section {
  editable: boolean;
  exchanged: number | undefined;
  drawings: Record<number, MatchingDrawing>;
}

export function PaperSection({ section, question: questions, editable, exchanged, drawings }: PaperSectionProps) {
  const { id, name, introduce } = section;
  const points = questions.reduce((sum, { ques_score }) => sum + ques_score, 0);
  return (
    <section aria-labelledby={`section-${id}`} className={styles.section}>
      <h2 id={`section-${id}`}>
        {name} <span>{`${questions.length}题，${formatScore(points)} 分`}</span>
      </h2>
      {introduce && <RichHtml html={introduce} />}
      {editable && (
        <div className={styles.sectionTools}>
          <Small intent={`bank ${id}`} label={`从题库选题：${name}`}>
            从题库选题
          </Small>
          <Small intent={`rule ${id}`} label={`按规则选题：${name}`}>
            按规则选题
          </Small>
          <Small intent={`write ${id}`} label={`手工添加：${name}`}>
            手工添加
          </Small>
          <Small intent={`import ${id}`} label={`从文件导入：${name}`}>
            从文件导入
          </Small>
          {questions.length > 0 && (
            <>
              <ScoreField name={`each-${id}`} label={`${name}每题分值`} placeholder="每题分值" />
              <Small intent={`each ${id}`} label={`设为每题分值：${name}`}>
                设为每题分值
              </Small>
            </>
          )}
          <Small intent={`section-up ${id}`} label={`上移${name}`}>
            上移
          </Small>
          <Small intent={`section-down ${id}`} label={`下移${name}`}>
            下移
          </Small>
          <Small intent={`edit-section ${id}`} label={`编辑${name}`}>
            编辑
          </Small>
          <Small intent={`remove-section ${id}`} label={`删除${name}`} danger>
            删除
          </Small>
        </div>
      )}
      {questions.length === 0 && <Empty>本部分暂无题目</Empty>}
      {questions.map(({ children, ...question }) => (
        <PaperQuestion
          key={question.id}
          question={question}
          answers="shown"
          drawings={drawings}
          scored={!editable || question.ques_type === 6}
          aside={editable && <QuestionTools question={question} isExchanged={question.id === exchanged} />}
        >
          {children.length > 0 &&
            children.map((part) => (
              <PaperQuestion
                key={part.id}
                question={part}
                answers="shown"
                drawings={drawings}
                scored={!editable}
                aside={editable && <Score question={part} />}
              />
            ))}
        </PaperQuestion>
      ))}
    </section>
  );
}

interface QuestionToolsProps {
  question: Omit<ExamPaperQuestion, 'children'>;
  /** True right after it was exchanged. */
  isExchanged: boolean;
}

function QuestionTools({ question, isExchanged }: QuestionToolsProps) {
  const { id, sort, ques_type } = question;
  const place = useField(placeField(id));
  return (
    <span className={styles.questionTools}>
      {ques_type !== 6 && <Score question={question} />}
      <Small intent={`up ${id}`} label={`上移第${sort}题`}>
        ↑
      </Small>
      <Small intent={`down ${id}`} label={`下移第${sort}题`}>
        ↓
      </Small>
      <MoveTo field={placeField(id)} intent={`place ${id}`} number={sort} error={place.error} />
      <Small intent={`exchange ${id}`} label={`换一道：第${sort}题`}>
        换一道
      </Small>
      {isExchanged && (
        <Small intent={`undo-exchange ${id}`} label={`撤销换题：第${sort}题`}>
          撤销换题
        </Small>
      )}
      <Small intent={`edit ${id}`} label={`编辑第${sort}题`}>
        编辑
      </Small>
      <Small intent={`remove ${id}`} label={`移除第${sort}题`} danger>
        移除
      </Small>
    </span>
  );
}

const Score = ({ question: { id, sort, ques_score } }: { question: ExamPaperPart }) => (
  <ScoreField
    name={scorePrefix + id}
    label={`第${sort}题分值`}
    value={ques_score === 0 ? '' : String(ques_score)}
    unit
  />
);

interface ScoreFieldProps {
  name: string;
  label: string;
  value?: string;
  placeholder?: string;
  unit?: boolean;
}

function ScoreField({ name, label, value = '', placeholder, unit }: ScoreFieldProps) {
  const typed = useField(name);
  return (
    <span className={styles.score}>
      <input
        type="text"
        id={name}
        name={name}
        defaultValue={typed.value ?? value}
        inputMode="decimal"
        autoComplete="off"
        placeholder={placeholder}
        aria-label={label}
        aria-invalid={typed.error ? true : undefined}
        aria-describedby={typed.error && `${name}-error`}
        className={controlClass}
      />
      {unit && ' 分'}
      {typed.error && (
        <span className={styles.error} id={`${name}-error`}>
          {typed.error}
        </span>
      )}
    </span>
  );
}

interface SmallProps {
  intent: string;
  label?: string;
  danger?: boolean;
  children: string;
}

const Small = ({ intent, label, danger, children }: SmallProps) => (
  <button
    type="submit"
    name="intent"
    value={intent}
    aria-label={label}
    title={label}
    className={rowActionClass}
    data-danger={danger}
  >
    {children}
  </button>
);
