/** A question with native form fields, large enough for a thumb. */
import { photoTypes, pictureTypes } from '#server/platform/files/rules.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { useField } from '../ui/form-state.ts';
import { RichHtml } from '../ui/rich-html.tsx';
import type { Question } from './api-answers.ts';
import { withLearnerFiles } from './file-address.ts';
import styles from './learn.learn.module.css';
import {
  blankField,
  cameraField,
  dropField,
  fieldOf,
  fileField,
  formatField,
  imageField,
  isBlanks,
  isSingleChoice,
  isText,
  matchField,
  matchingSidesOf,
} from './question-answer.ts';
import { letterOf, maxPictures, questionTypeNames } from './terms.ts';

const { AreaField, ChecksField, FileField, GroupField, RadioField, SelectField, TextField } = fieldsOf<never, string>();

interface StemProps {
  question: Question;
  /** The previous question: material that both share is shown only once. */
  before?: Question | undefined;
  /** True if results are in percent instead of points. */
  rated?: boolean | undefined;
}

export function QuestionStem({ question, before, rated }: StemProps) {
  return (
    <>
      {question.material && question.material !== before?.material && (
        <div className={styles.material}>
          <RichHtml html={withLearnerFiles(question.material)} />
        </div>
      )}
      <h2 className={styles.questionHead}>
        {question.sort}. {questionTypeNames[question.ques_type] ?? '题目'}
        {!rated && <span>（{formatScore(question.ques_score)}分）</span>}
      </h2>
      <RichHtml html={withLearnerFiles(question.ques_stem)} />
    </>
  );
}

export function QuestionFields({ question }: { question: Question }) {
  const { id } = question;
  if (isText(question)) return <WrittenAnswer id={id} sort={question.sort} />;
  if (isBlanks(question)) {
    return (
      <GroupField name={fieldOf(id)} label={`第${question.sort}题的填空`} className={styles.answer}>
        {Array.from({ length: question.blanks }, (_, place) => (
          <TextField
            key={blankField(id, place)}
            name={blankField(id, place)}
            label={`第${place + 1}空`}
            autoComplete="off"
          />
        ))}
      </GroupField>
    );
  }
  const sides = matchingSidesOf(question);
  if (sides) {
    const choices = sides.right.map((option) => [option.id, labelOf(option, 0)] as const);
    return (
      <GroupField name={fieldOf(id)} label={`第${question.sort}题的连线`} className={styles.answer}>
        <ul className={styles.options}>
          {[...sides.left, ...sides.right].map((option) => (
            <li key={option.id}>
              {labelOf(option, 0)}. <RichHtml html={withLearnerFiles(option.content)} inline />
            </li>
          ))}
        </ul>
        {sides.left.map((option) => (
          <SelectField
            key={option.id}
            name={matchField(id, option.id)}
            label={`${labelOf(option, 0)} 对应`}
            placeholder="请选择"
            choices={choices}
          />
        ))}
      </GroupField>
    );
  }
  const Choice = isSingleChoice(question) ? RadioField : ChecksField;
  return (
    <Choice
      name={fieldOf(id)}
      label={`第${question.sort}题的答案`}
      className={styles.answer}
      choices={question.ques_option.map((option, place) => [
        option.id,
        <span key={option.id}>
          {labelOf(option, place)}. <RichHtml html={withLearnerFiles(option.content)} inline />
        </span>,
      ])}
    />
  );
}

export const labelOf = (option: Question['ques_option'][number], place: number): string =>
  'label' in option && option.label ? option.label : letterOf(place);

function WrittenAnswer({ id, sort }: { id: number; sort: string }) {
  const { chosen: images, error } = useField(imageField(id));
  const { chosen: dropped } = useField(dropField(id));
  const { value: format } = useField(formatField(id));
  return (
    <div className={styles.answer}>
      <AreaField name={fieldOf(id)} label={`第${sort}题的答案`} autosize minRows={4} />
      {format === 'html' && <input type="hidden" name={formatField(id)} value="html" />}
      <ul
        className={styles.pictures}
        aria-label="已添加的图片"
        data-pictures={imageField(id)}
        hidden={images.length === 0}
      >
        {images.map((image, place) => (
          <li key={image}>
            <a href={withLearnerFiles(image)}>
              <img src={withLearnerFiles(image)} alt={`第${place + 1}张`} />
            </a>
            <input type="hidden" name={imageField(id)} value={image} />
            <label data-drop="">
              <input type="checkbox" name={dropField(id)} value={image} defaultChecked={dropped.includes(image)} />
              移除
            </label>
          </li>
        ))}
      </ul>
      {error && <p role="alert">{error}</p>}
      <FileField name={cameraField(id)} label="拍照" accept={pictureTypes} camera />
      <FileField
        name={fileField(id)}
        label="从相册选择"
        description={`一共最多${maxPictures}张，保存后可以看到`}
        accept={photoTypes}
        multiple
      />
    </div>
  );
}
