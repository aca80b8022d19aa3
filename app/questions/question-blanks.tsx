/** Answer fields of a fill-in question, one per blank. */

import { caseWords, type QuestionDraft } from '#server/questions/rules.ts';
import { controlClass } from '../ui/control.ts';
import { OperationButton } from './operation-button.tsx';
import { controlled, FieldMessages } from './plain-field.tsx';
import { shownBlanks } from './question-codec.ts';
import styles from './question-form.work.module.css';
import type { QuestionFormContext } from './question-form-context.ts';

interface QuestionBlanksProps {
  question: QuestionDraft;
  at: string;
  context: QuestionFormContext;
}

export function QuestionBlanks({ question, at, context }: QuestionBlanksProps) {
  const { prefix, errors, dispatch } = context;
  const blanks = shownBlanks(question);
  const path = `${at}right_answer`;
  const id = prefix + path;
  const isMissing = errors[path] !== undefined;
  return (
    <fieldset className={styles.options} id={id}>
      <legend>
        答案<span aria-hidden="true"> *</span>
        <span className={styles.hint}>按空的顺序填写</span>
      </legend>
      {blanks.map((blank, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a blank is its place; what it holds is the form's state.
          key={index}
          className={styles.option}
        >
          <span className={styles.right}>第 {index + 1} 空</span>
          <input
            name={`${id}.${index}`}
            aria-label={`第 ${index + 1} 空的答案`}
            aria-invalid={isMissing && blank.trim() === '' ? true : undefined}
            aria-describedby={isMissing ? `${id}-error` : undefined}
            className={controlClass}
            {...controlled(context, blank, (text) => dispatch?.({ kind: 'edit-blank', at, index, text }))}
          />
          {blanks.length > 1 && (
            <OperationButton
              context={context}
              operation={{ kind: 'remove-blank', at, index }}
              anchor={path}
              label={`删除第 ${index + 1} 空`}
            >
              删除
            </OperationButton>
          )}
        </div>
      ))}
      <FieldMessages id={id} messages={errors[path]} />
      <OperationButton context={context} operation={{ kind: 'add-blank', at }} anchor={path} kind="plain">
        添加空
      </OperationButton>
      <label className={styles.right}>
        <input
          type="checkbox"
          name={`${prefix}${at}ignore_case`}
          value="1"
          {...(dispatch
            ? {
                checked: question.ignore_case === 1,
                onChange: (event) =>
                  dispatch({ kind: 'edit', at, change: { ignore_case: event.currentTarget.checked ? 1 : 0 } }),
              }
            : { defaultChecked: question.ignore_case === 1 })}
        />
        {caseWords[1]}
      </label>
    </fieldset>
  );
}
