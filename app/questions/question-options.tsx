/** Options of a choice question, from 2 to 26; the right ones are ticked. */

import { Checkbox, Radio } from '@mantine/core';
import { optionLetter } from '#server/platform/text/rules.ts';
import { draftMessages, optionCount, type QuestionDraft } from '#server/questions/rules.ts';
import { fields } from '../ui/fields-of.ts';
import { FieldError } from './field-error.tsx';
import { ConfirmOperation, OperationButton } from './operation-button.tsx';
import styles from './question-form.work.module.css';
import type { QuestionFormContext } from './question-form-context.ts';
import { formMessages } from './question-operations.ts';
import { RichField } from './rich-field.tsx';

const { GroupField } = fields;

interface QuestionOptionsProps {
  question: QuestionDraft;
  at: string;
  context: QuestionFormContext;
}

export function QuestionOptions({ question, at, context }: QuestionOptionsProps) {
  const { asking, dispatch } = context;
  const { ques_type: type, ques_option: options } = question;
  const isFixed = type === 2;
  const Choice = type <= 2 ? Radio : Checkbox;
  const anchor = `${at}ques_option`;
  const askedFor = asking && 'option' in asking && asking.at === at ? asking.option : undefined;
  return (
    <GroupField
      name={anchor}
      label="选项"
      description={type >= 3 ? '请勾选所有正确答案' : draftMessages.oneRightAnswer}
      withAsterisk
      className={styles.options}
    >
      {options.map((option, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place; what it holds is the form's state.
          key={index}
          className={styles.option}
        >
          <Choice
            className={styles.right}
            name={`${at}right_option`}
            value={index}
            label={
              <>
                {optionLetter(index)}
                <span className="visually-hidden">是正确答案</span>
              </>
            }
            {...(dispatch
              ? {
                  checked: option.is_right === 1,
                  onChange: (event) =>
                    dispatch({ kind: 'choose-option', at, index, isRight: event.currentTarget.checked }),
                }
              : { defaultChecked: option.is_right === 1 })}
          />
          {isFixed ? (
            <span className={styles.fixed}>{option.content}</span>
          ) : (
            <RichField
              label={`选项${optionLetter(index)}`}
              isLabelHidden
              path={`${at}ques_option.${index}.content`}
              html={option.content}
              rows={1}
              context={context}
              onChange={(content) => dispatch?.({ kind: 'edit-option', at, index, content })}
            />
          )}
          {!isFixed && askedFor !== index && (
            <OperationButton
              context={context}
              operation={{ kind: 'ask-option', at, index }}
              anchor={anchor}
              label={`删除选项${optionLetter(index)}`}
            >
              删除
            </OperationButton>
          )}
          {askedFor === index && (
            <div className={styles.asking}>
              <ConfirmOperation
                context={context}
                question={formMessages.askOption}
                operation={{ kind: 'remove-option', at, index }}
                anchor={anchor}
              />
            </div>
          )}
        </div>
      ))}
      <FieldError path={`${at}right_answer`} />
      {!isFixed && options.length < optionCount.most && (
        <OperationButton context={context} operation={{ kind: 'add-option', at }} anchor={anchor} kind="plain">
          添加选项
        </OperationButton>
      )}
    </GroupField>
  );
}
