/** The fields of one question or sub-question. */
import { NativeSelect, TextInput } from '@mantine/core';
import type { QuestionDraft } from '#server/questions/rules.ts';
import { hasOptions, isQuestionType, questionTypes, remarkLimit } from '#server/questions/rules.ts';

import { HiddenFields } from '../ui/hidden-fields.tsx';
import { OperationButton } from './operation-button.tsx';
import { QuestionBlanks } from './question-blanks.tsx';
import { draftFields } from './question-codec.ts';
import styles from './question-form.module.css';
import type { FormContext } from './question-form.tsx';
import { QuestionOptions } from './question-options.tsx';
import { RichField } from './rich-field.tsx';
import { facilityChoices, questionTypeNames } from './terms.ts';

interface QuestionFieldsProps {
  question: QuestionDraft;
  /** '' or `ques_item.N.` */
  at: string;
  context: FormContext;
}

export function QuestionFields({ question, at, context }: QuestionFieldsProps) {
  const { ques_type: type } = question;
  const isItem = at !== '';
  const edit = (change: Partial<QuestionDraft>) => context.dispatch?.({ kind: 'edit', at, change });
  const name = context.prefix + at;
  return (
    <div className={styles.fields}>
      <TypeField question={question} at={at} context={context} />
      <RichField
        label={type === 6 ? '材料（题干）' : '题干'}
        path={`${at}ques_stem`}
        html={question.ques_stem}
        rows={type === 6 ? 8 : 4}
        required
        context={context}
        onChange={(ques_stem) => edit({ ques_stem })}
      />
      {hasOptions(type) && <QuestionOptions question={question} at={at} context={context} />}
      {type === 5 && (
        <RichField
          label="参考答案"
          path={`${at}right_answer`}
          html={question.right_answer}
          rows={4}
          required
          context={context}
          onChange={(right_answer) => edit({ right_answer })}
        />
      )}
      {type === 7 && <QuestionBlanks question={question} at={at} context={context} />}
      <RichField
        label="解析"
        path={`${at}ques_analysis`}
        html={question.ques_analysis}
        rows={3}
        context={context}
        onChange={(ques_analysis) => edit({ ques_analysis })}
      />
      <div className={styles.short}>
        <NativeSelect
          {...described(context, `${at}facility_value`)}
          name={`${name}facility_value`}
          label="难度"
          withAsterisk={!isItem}
          {...controlled(context, String(question.facility_value || ''), (value) =>
            edit({ facility_value: Number(value) }),
          )}
        >
          <option value="">{isItem ? '与材料相同' : '请选择'}</option>
          {facilityChoices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </NativeSelect>
        {!isItem && (
          <TextInput
            {...described(context, `${at}remark`)}
            name={`${name}remark`}
            label="备注"
            description={`最多 ${remarkLimit} 个字`}
            maxLength={remarkLimit * 2}
            {...controlled(context, question.remark, (remark) => edit({ remark }))}
          />
        )}
      </div>
      <HiddenFields fields={unseenFields(question, name, isItem)} />
    </div>
  );
}

/** With client JS the state is the value; without, it is what the field begins with. */
export function controlled(context: Pick<FormContext, 'dispatch'>, value: string, change: (value: string) => void) {
  if (!context.dispatch) return { defaultValue: value };
  return { value, onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value) };
}

/** What the type does not show is kept: who comes back to the old type finds it again. */
function unseenFields(question: QuestionDraft, name: string, isItem: boolean): [string, string][] {
  const { ques_type: type } = question;
  return draftFields(question, name).filter(([field]) => {
    switch (field.slice(name.length).split('.')[0]) {
      case 'ques_option':
      case 'right_option':
        return !hasOptions(type);
      case 'right_answer':
        return hasOptions(type) || type === 6;
      case 'ques_item':
        return type !== 6;
      case 'remark':
        return isItem;
      default:
        return false;
    }
  });
}

function TypeField({ question, at, context }: QuestionFieldsProps) {
  const { prefix, dispatch } = context;
  const offered = at === '' ? questionTypes : questionTypes.filter((type) => type !== 6);
  return (
    <div className={styles.type}>
      <input type="hidden" name={`${prefix}${at}ques_type`} value={question.ques_type} />
      <NativeSelect
        {...described(context, `${at}ques_type`)}
        name={`${prefix}${at}new_type`}
        label="题型"
        withAsterisk
        {...controlled(context, String(question.ques_type), (value) => {
          const type = Number(value);
          if (isQuestionType(type)) dispatch?.({ kind: 'change-type', at, type });
        })}
      >
        {offered.map((type) => (
          <option key={type} value={type}>
            {questionTypeNames[type]}
          </option>
        ))}
      </NativeSelect>
      {!dispatch && (
        <OperationButton
          context={context}
          operation={{ kind: 'change-type', at, type: question.ques_type }}
          anchor={`${at}ques_type`}
          kind="plain"
        >
          切换题型
        </OperationButton>
      )}
    </div>
  );
}

/** The id of what `checkQuestion` names by this path, and its messages. */
const described = ({ prefix, errors }: FormContext, path: string) => ({
  id: prefix + path,
  error: errors[path]?.join('；'),
});

export function FieldMessages({ id, messages }: { id: string; messages: string[] | undefined }) {
  if (!messages) return null;
  return (
    <p className={styles.error} id={`${id}-error`}>
      {messages.join('；')}
    </p>
  );
}
