/** Answer fields of a fill-in question, one per blank. */

import { Checkbox, Input } from '@mantine/core';
import { ignoreCaseNames, type QuestionDraft } from '#server/questions/rules.ts';
import { fields } from '../ui/fields-of.ts';
import { useField } from '../ui/form-state.ts';
import { inputProps } from './field-error.tsx';
import { OperationButton } from './operation-button.tsx';
import { typedBlanks } from './question-codec.ts';
import styles from './question-form.work.module.css';
import type { QuestionFormContext } from './question-form-context.ts';

const { GroupField } = fields;

interface QuestionBlanksProps {
  question: QuestionDraft;
  at: string;
  context: QuestionFormContext;
}

export function QuestionBlanks({ question, at, context }: QuestionBlanksProps) {
  const { dispatch } = context;
  const blanks = typedBlanks(question);
  const path = `${at}right_answer`;
  const { error } = useField(path);
  return (
    <GroupField name={path} label="答案" description="按空的顺序填写" withAsterisk className={styles.options}>
      {blanks.map((blank, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a blank is its place; what it holds is the form's state.
          key={index}
          className={styles.option}
        >
          <span className={styles.right}>第 {index + 1} 空</span>
          <Input
            className={styles.blank}
            name={`${path}.${index}`}
            aria-label={`第 ${index + 1} 空的答案`}
            error={error && blank.trim() === ''}
            {...inputProps(context, blank, (text) => dispatch?.({ kind: 'edit-blank', at, index, text }))}
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
      <OperationButton context={context} operation={{ kind: 'add-blank', at }} anchor={path} kind="plain">
        添加空
      </OperationButton>
      <Checkbox
        name={`${at}ignore_case`}
        value="1"
        label={ignoreCaseNames[1]}
        {...(dispatch
          ? {
              checked: question.ignore_case === 1,
              onChange: (event) =>
                dispatch({ kind: 'edit', at, change: { ignore_case: event.currentTarget.checked ? 1 : 0 } }),
            }
          : { defaultChecked: question.ignore_case === 1 })}
      />
    </GroupField>
  );
}
