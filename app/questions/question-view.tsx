/** Shows a question: stem, options with the right ones labelled, answer, analysis, parts. */
import type { ReactNode } from 'react';
import { optionLetter } from '#server/platform/text/rules.ts';
import { ignoreCaseNames } from '#server/questions/rules.ts';
import { RichHtml } from '../ui/rich-html.tsx';
import { Difficulty } from './difficulty.tsx';
import styles from './question-view.work.module.css';
import type { RenderedQuestion } from './rendered-question.ts';
import { questionTypeName } from './terms.ts';

export function QuestionView({ question }: { question: RenderedQuestion }) {
  const { ques_type, facility_value, ques_option, ignore_case, display, ques_item = [] } = question;
  return (
    <div className={styles.question}>
      <LabelledRow label="题型">{questionTypeName(ques_type)}</LabelledRow>
      <LabelledRow label="题干">
        <RichHtml html={display.ques_stem} />
      </LabelledRow>
      {ques_option.length > 0 && (
        <LabelledRow label="选项">
          <ol className={styles.options}>
            {ques_option.map(({ is_right }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place.
              <li key={index} data-right={is_right === 1 ? '' : undefined}>
                <span>{optionLetter(index)}</span>
                <RichHtml html={display.ques_option[index] ?? ''} />
                {is_right === 1 && <span className={styles.mark}>正确答案</span>}
              </li>
            ))}
          </ol>
        </LabelledRow>
      )}
      {ques_type !== 6 && (
        <LabelledRow label="答案">
          {display.right_answer ? <RichHtml html={display.right_answer} /> : <span className={styles.none}>-</span>}
          {ignore_case === 1 && <span className={styles.mark}>{ignoreCaseNames[1]}</span>}
        </LabelledRow>
      )}
      <LabelledRow label="解析">
        {display.ques_analysis ? <RichHtml html={display.ques_analysis} /> : <span className={styles.none}>-</span>}
      </LabelledRow>
      {facility_value !== undefined && (
        <LabelledRow label="难度">{facility_value > 0 ? <Difficulty value={facility_value} /> : '-'}</LabelledRow>
      )}
      {ques_item.length > 0 && (
        <LabelledRow label="小题">
          <ol className={styles.items}>
            {ques_item.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a sub-question is its place.
              <li key={index}>
                <p className={styles.number}>第 {index + 1} 小题</p>
                <QuestionView question={item} />
              </li>
            ))}
          </ol>
        </LabelledRow>
      )}
    </div>
  );
}

/** A row with a label on its left. */
export function LabelledRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <span>{label}</span>
      <div>{children}</div>
    </div>
  );
}
