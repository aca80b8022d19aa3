import { hasOptions, isQuestionType, type QuestionDraft, questionTypes, remarkLimit } from '#server/questions/rules.ts';
import { controlClass } from '../ui/control.ts';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { limitHint } from '../ui/limit-hint.ts';
import { OperationButton } from './operation-button.tsx';
import { controlled, PlainField } from './plain-field.tsx';
import { QuestionBlanks } from './question-blanks.tsx';
import { draftFields } from './question-codec.ts';
import styles from './question-form.work.module.css';
import type { QuestionFormContext } from './question-form-context.ts';
import { QuestionOptions } from './question-options.tsx';
import { RichField } from './rich-field.tsx';
import { facilityChoices, questionTypeNames } from './terms.ts';

interface QuestionFieldsProps {
  question: QuestionDraft;
  /** Path prefix of the question: '' or `ques_item.N.`. */
  at: string;
  context: QuestionFormContext;
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
        <PlainField label="难度" path={`${at}facility_value`} required={!isItem} context={context}>
          {(ids) => (
            <select
              {...ids}
              name={`${name}facility_value`}
              className={controlClass}
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
            </select>
          )}
        </PlainField>
        {!isItem && (
          <PlainField label="备注" path={`${at}remark`} hint={limitHint(remarkLimit, true)} context={context}>
            {(ids) => (
              <input
                {...ids}
                name={`${name}remark`}
                maxLength={remarkLimit * 2}
                className={controlClass}
                {...controlled(context, question.remark, (remark) => edit({ remark }))}
              />
            )}
          </PlainField>
        )}
      </div>
      <HiddenFields fields={unseenFields(question, name, isItem)} />
    </div>
  );
}

/** Hidden fields for values that this type does not show, so that switching back restores them. */
function unseenFields(question: QuestionDraft, name: string, isItem: boolean): [string, string][] {
  const { ques_type: type } = question;
  return draftFields(question, name).filter(([field]) => {
    switch (field.slice(name.length).split('.')[0]) {
      case 'ques_option':
      case 'right_option':
        return !hasOptions(type);
      case 'right_answer':
        return hasOptions(type) || type === 6;
      case 'ignore_case':
        return type !== 7;
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
    <PlainField label="题型" path={`${at}ques_type`} required context={context}>
      {(ids) => (
        <div className={styles.type}>
          <input type="hidden" name={`${prefix}${at}ques_type`} value={question.ques_type} />
          <select
            {...ids}
            name={`${prefix}${at}new_type`}
            className={controlClass}
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
          </select>
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
      )}
    </PlainField>
  );
}
