/** A question in the table of the publish form: type, stem, score, buttons. */
import { memo } from 'react';
import { formatScore, optionLetter } from '#server/platform/text/rules.ts';
import {
  blanksOf,
  hasOptions,
  ignoreCaseNames,
  type QuestionDraft,
  questionTypeNames,
} from '#server/questions/rules.ts';
import { Difficulty } from '../../questions/difficulty.tsx';
import { MoveTo } from '../../questions/move-to.tsx';
import type { Messages } from '../../ui/client/form-messages.ts';
import { controlClass } from '../../ui/control.ts';
import { RichHtml } from '../../ui/rich-html.tsx';
import { rowActionClass } from '../../ui/row-action.tsx';
import { type FormQuestion, questionTenths } from './form.ts';
import { placeField, scoreField, selectedField } from './form-data.ts';
import formStyles from './publish.work.module.css';
import styles from './question-table.work.module.css';
import { htmlToLine, needsDisplay } from './view.ts';

interface QuestionRowProps {
  question: FormQuestion;
  /** Number of the question, from 1. */
  number: number;
  selected: boolean;
  errors: Messages;
  displays: ReadonlyMap<string, string>;
  hydrated: boolean;
  /** Address of the question table. Without client JS, the page returns there after a button. */
  here: string;
}

/** A row per question. Memoised, because a hundred rows must not render at each key press. */
export const QuestionRow = memo(function QuestionRow(props: QuestionRowProps) {
  const { question, number, selected, errors, displays, hydrated, here } = props;
  const { key, draft } = question;
  const isMaterial = draft.ques_type === 6;
  const faults = errors[`question.${key}`];
  return (
    <tr data-key={key} id={`question.${key}`}>
      <td>
        <input
          type="checkbox"
          name={selectedField}
          value={key}
          defaultChecked={selected}
          aria-label={`选择第${number}题`}
          className={styles.check}
        />
      </td>
      <th scope="row" className={styles.number}>
        {hydrated && (
          <span className={styles.handle} data-handle title="拖动排序" aria-hidden="true">
            ⠿
          </span>
        )}
        {number}
      </th>
      <td className={styles.nowrap}>{questionTypeNames[draft.ques_type]}</td>
      <td>
        <div className={styles.stem} data-written>
          <Rich html={draft.ques_stem} displays={displays} />
        </div>
        {isMaterial ? (
          <ol className={styles.parts}>
            {draft.ques_item.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name than their place.
              <li key={index}>
                <span className={styles.partNumber}>
                  {number}.{index + 1} {questionTypeNames[part.ques_type]}
                </span>
                <div className={styles.partStem} data-written>
                  <Rich html={part.ques_stem} displays={displays} />
                  <Answer draft={part} displays={displays} />
                </div>
                <Score question={question} part={index} number={`${number}.${index + 1}`} errors={errors} />
              </li>
            ))}
          </ol>
        ) : (
          <Answer draft={draft} displays={displays} />
        )}
        {faults && <p className={styles.error}>{faults.join('；')}</p>}
      </td>
      <td>
        <Difficulty value={draft.facility_value} />
      </td>
      <td className={styles.nowrap}>
        {isMaterial ? (
          <>
            <span className={formStyles.whenScored}>{formatScore(questionTenths(question, '2') / 10)} 分</span>
            <span className={formStyles.whenRated}>{formatScore(draft.ques_item.length)} 分</span>
          </>
        ) : (
          <Score question={question} part={0} number={String(number)} errors={errors} />
        )}
      </td>
      <td>
        <div className={styles.actions}>
          <RowButton op={`up ${key}`} here={here} label={`上移第${number}题`}>
            ↑
          </RowButton>
          <RowButton op={`down ${key}`} here={here} label={`下移第${number}题`}>
            ↓
          </RowButton>
          <MoveTo field={placeField(key)} intent={`place ${key}`} number={String(number)} here={here} />
          <RowButton op={`exchange ${key}`} here={here} label={`换一道：第${number}题`}>
            换一道
          </RowButton>
          {question.before && (
            <RowButton op={`undo-exchange ${key}`} here={here} label={`撤销换题：第${number}题`}>
              撤销换题
            </RowButton>
          )}
          <RowButton op={`edit ${key}`} label={`编辑第${number}题`}>
            编辑
          </RowButton>
          <RowButton op={`remove ${key}`} here={here} label={`删除第${number}题`} danger>
            删除
          </RowButton>
        </div>
      </td>
    </tr>
  );
});

interface RowButtonProps {
  op: string;
  here?: string;
  label: string;
  danger?: boolean;
  children: string;
}

function RowButton({ op, here, label, danger, children }: RowButtonProps) {
  return (
    <button
      type="submit"
      name="intent"
      value={op}
      formAction={here}
      data-op={op}
      aria-label={label}
      title={label}
      className={rowActionClass}
      data-danger={danger}
    >
      {children}
    </button>
  );
}

function Score({
  question,
  part,
  number,
  errors,
}: {
  question: FormQuestion;
  part: number;
  number: string;
  errors: Messages;
}) {
  const { key, scores } = question;
  const field = scoreField(key, part);
  const message = errors[field]?.[0];
  return (
    <span className={styles.score}>
      <span className={formStyles.whenScored}>
        <input
          type="text"
          autoComplete="off"
          id={field}
          name={field}
          defaultValue={scores[part]}
          inputMode="decimal"
          aria-label={`第${number}题分数`}
          aria-invalid={message ? true : undefined}
          aria-describedby={message ? `${field}-error` : undefined}
          className={`${controlClass} ${styles.scoreInput}`}
        />{' '}
        分
      </span>
      <span className={formStyles.whenRated}>{formatScore(1)} 分</span>
      {message && (
        <span className={`${styles.error} ${formStyles.whenScored}`} id={`${field}-error`}>
          {message}
        </span>
      )}
    </span>
  );
}

function Answer({ draft, displays }: { draft: QuestionDraft; displays: ReadonlyMap<string, string> }) {
  return (
    <details className={styles.answer}>
      <summary>{hasOptions(draft.ques_type) ? '选项与答案' : '答案'}</summary>
      {hasOptions(draft.ques_type) ? (
        <ol>
          {draft.ques_option.map(({ id, content, is_right }, index) => (
            <li key={id} data-right={is_right === 1 ? true : undefined}>
              {optionLetter(index)}. <Rich html={content} displays={displays} />
              {is_right === 1 && <span className={styles.right}>正确答案</span>}
            </li>
          ))}
        </ol>
      ) : draft.ques_type === 7 ? (
        <p>
          {blanksOf(draft.right_answer).join('；')}
          {draft.ignore_case === 1 && `（${ignoreCaseNames[1]}）`}
        </p>
      ) : (
        <Rich html={draft.right_answer} displays={displays} />
      )}
      {draft.ques_analysis && (
        <div>
          解析：
          <Rich html={draft.ques_analysis} displays={displays} />
        </div>
      )}
    </details>
  );
}

/** Shows formulas, pictures and tables as the API rendered them, and other text as plain text. */
function Rich({ html, displays }: { html: string; displays: ReadonlyMap<string, string> }) {
  const shown = needsDisplay(html) ? displays.get(html) : undefined;
  return shown === undefined ? <span>{htmlToLine(html)}</span> : <RichHtml html={shown} inline />;
}
