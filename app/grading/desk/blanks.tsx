/** The blanks of a fill-in answer. Plain forms overrule the automatic score of a blank, or undo the overruling. */
import { reasonLimit } from '#server/grading-desk/rules.ts';
import { Form } from '../../ui/form.tsx';
import { smallButtonClass } from '../question-view.tsx';
import type { DeskQuestion } from './desk.ts';
import styles from './grading-desk.work.module.css';
import type { RefusedMark } from './refused-mark.ts';

interface BlanksProps {
  question: DeskQuestion;
  /** 作业 or 考试, for messages. */
  assignment: string;
  refused: RefusedMark | undefined;
}

export function Blanks({ question, assignment, refused }: BlanksProps) {
  const { id, blanks = [] } = question;
  const typed = (name: string) =>
    refused?.ques_id === id ? refused.typed?.find(([field]) => field === name)?.[1] : undefined;
  return (
    <ol className={styles.blanks}>
      {blanks.map(({ blank, answer, right, judgment }) => {
        const isRight = right === 1;
        const isTyped = typed('blank') === String(blank);
        return (
          <li key={blank}>
            第 {blank} 空：{answer.trim() || '（空）'} <strong>{isRight ? '正确' : '错误'}</strong>
            {judgment && (
              <Form>
                {judgment.name}改判，理由：{judgment.reason}{' '}
                <button type="submit" name="intent" value={`unjudge ${judgment.id}`} className={smallButtonClass}>
                  撤销改判
                </button>
              </Form>
            )}
            {answer.trim() !== '' && (
              <details open={isTyped}>
                <summary>改判</summary>
                <Form noValidate>
                  {isTyped && refused && (
                    <p role="alert">{Object.values(refused.errors ?? {})[0]?.[0] ?? refused.msg}</p>
                  )}
                  <input type="hidden" name="blank" value={blank} />
                  <label>
                    理由 <input name="reason" defaultValue={isTyped ? typed('reason') : ''} maxLength={reasonLimit} />
                  </label>{' '}
                  <button
                    type="submit"
                    name="intent"
                    value={`rejudge ${id} ${isRight ? 2 : 1}`}
                    className={smallButtonClass}
                  >
                    改判为{isRight ? '错误' : '正确'}
                  </button>
                  <p>本{assignment}中相同的答案一并改判，之后提交的也按此评分，可以撤销。</p>
                </Form>
              </details>
            )}
          </li>
        );
      })}
    </ol>
  );
}
