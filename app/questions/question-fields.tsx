import {
  hasOptions,
  isQuestionType,
  joinTags,
  maxTags,
  type QuestionDraft,
  questionTypes,
  remarkLimit,
  tagsIn,
} from '#server/questions/rules.ts';
import { fields } from '../ui/fields-of.ts';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { inputProps } from './field-error.tsx';
import { OperationButton } from './operation-button.tsx';
import { QuestionBlanks } from './question-blanks.tsx';
import { draftFields } from './question-codec.ts';
import styles from './question-form.work.module.css';
import type { QuestionFormContext } from './question-form-context.ts';
import { QuestionOptions } from './question-options.tsx';
import { RichField } from './rich-field.tsx';
import { formDifficultyChoices, questionTypeNames } from './terms.ts';

/** Names of these fields are paths in the draft (question-codec.ts), so types do not check them against a call. */
const { SelectField, TextField } = fields;

interface QuestionFieldsProps {
  question: QuestionDraft;
  /** Path prefix of the question: '' for the question itself, `ques_item.N.` for a part. */
  at: string;
  context: QuestionFormContext;
}

export function QuestionFields({ question, at, context }: QuestionFieldsProps) {
  const { ques_type: type } = question;
  const isItem = at !== '';
  const edit = (change: Partial<QuestionDraft>) => context.dispatch?.({ kind: 'edit', at, change });
  return (
    <div className={styles.fields}>
      <TypeField question={question} at={at} context={context} />
      <RichField
        label={type === 6 ? '材料（题干）' : '题干'}
        path={`${at}ques_stem`}
        html={question.ques_stem}
        rows={type === 6 ? 8 : 4}
        required
        photoButton={type === 6 ? '用照片或扫描件作材料' : '用照片或扫描件作题干'}
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
        <SelectField
          name={`${at}facility_value`}
          label="难度"
          withAsterisk={!isItem}
          placeholder={isItem ? '与材料相同' : '请选择'}
          choices={formDifficultyChoices}
          {...inputProps(context, String(question.facility_value || ''), (value) =>
            edit({ facility_value: Number(value) }),
          )}
        />
        {!isItem && (
          <TextField
            name={`${at}remark`}
            label="备注"
            limit={remarkLimit}
            maxLength={remarkLimit * 2}
            {...inputProps(context, question.remark, (remark) => edit({ remark }))}
          />
        )}
        {question.point !== undefined && (
          <>
            <TextField
              name={`${at}point`}
              label="知识点"
              list="knowledge-points"
              autoComplete="off"
              {...inputProps(context, question.point, (point) => edit({ point }))}
            />
            <datalist id="knowledge-points">
              {context.points?.map((path) => (
                <option key={path} value={path} />
              ))}
            </datalist>
          </>
        )}
        {question.tags !== undefined && (
          <>
            <TextField
              name={`${at}tags`}
              label="标签"
              description={`用空格、逗号或顿号隔开，最多${maxTags}个`}
              list="own-tags"
              autoComplete="off"
              {...inputProps(context, question.tags, (tags) => edit({ tags }))}
            />
            <datalist id="own-tags">
              {suggestedTags(question.tags, context.tags).map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          </>
        )}
      </div>
      <HiddenFields fields={unseenFields(question, at, isItem)} />
    </div>
  );
}

/** Suggestions replace the whole text of a field, so each of them repeats the tags before the one being typed. */
function suggestedTags(typed: string, tags: readonly string[] = []): string[] {
  const written = tagsIn(typed);
  const before = /[\s,，、;；]$/.test(typed) ? written : written.slice(0, -1);
  return tags.filter((tag) => !before.includes(tag)).map((tag) => joinTags([...before, tag]));
}

/** Hidden fields for values that the current question type does not show, so that switching back restores them. */
function unseenFields(question: QuestionDraft, at: string, isItem: boolean): [string, string][] {
  const { ques_type: type } = question;
  return draftFields(question, at).filter(([field]) => {
    switch (field.slice(at.length).split('.')[0]) {
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
  const { dispatch } = context;
  const offered = at === '' ? questionTypes : questionTypes.filter((type) => type !== 6);
  return (
    <div className={styles.type}>
      <input type="hidden" name={`${at}ques_type`} value={question.ques_type} />
      <SelectField
        name={`${at}new_type`}
        id={`${at}ques_type`}
        label="题型"
        withAsterisk
        choices={offered.map((type) => [type, questionTypeNames[type]] as const)}
        {...inputProps(context, String(question.ques_type), (value) => {
          const type = Number(value);
          if (isQuestionType(type)) dispatch?.({ kind: 'change-type', at, type });
        })}
      />
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
