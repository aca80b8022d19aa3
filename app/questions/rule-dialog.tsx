/**
 * Dialog that chooses questions by a rule and shows them before they are added. It is a GET form: its buttons add rows,
 * choose again and exchange one question by the address alone.
 */
import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { normalizeNumber } from '#server/grading/rules.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import type { ChosenRow, Swap } from '#server/questions/compose.contract.ts';
import { ruleRowsLimit } from '#server/questions/compose.rules.ts';
import { type RuleRowFields, readRuleRows } from '../lib/rule-address.ts';
import { AddressButton, AddressForm } from '../ui/address-form.tsx';
import { controlClass } from '../ui/control.ts';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { refusedFields } from '../ui/picker-form.tsx';
import { rowActionClass } from '../ui/row-action.tsx';
import { Difficulty } from './difficulty.tsx';
import styles from './rule-dialog.work.module.css';
import { StemPreview } from './stem-preview.tsx';
import { difficultyName, questionTypeChoices, questionTypeNames } from './terms.ts';

export interface RuleChoice {
  rows: RuleRowFields[];
  unusedDays: string;
  seed: number | undefined;
  swaps: Swap[];
  /** Seed of another choice. */
  nextSeed: number;
  /** Errors by field, such as `rows.0.count`. */
  errors: Record<string, string[]>;
  /** Why nothing was chosen or exchanged. */
  message?: string | undefined;
  /** Undefined before the first choice. */
  chosen?: ChosenRow[] | undefined;
}

interface RuleDialogProps {
  choice: RuleChoice;
  refused: RefusedForm | undefined;
  closeHref: string;
  /** Addresses of the form. `form`: without the rows. `post`: with them; it takes the chosen questions. */
  hrefs: { form: string; post: string };
  banks: readonly (readonly [bank: string, name: string])[];
  /** Paths of knowledge points to choose from. */
  points: readonly string[];
  /** Label of the button that adds the questions, such as 加入作业. */
  addLabel: string;
  /** True if the user may open the page of a question. */
  linked: boolean;
}

export function RuleDialog({ choice, refused, closeHref, hrefs, banks, points, addLabel, linked }: RuleDialogProps) {
  const { unusedDays, nextSeed, errors, message, chosen = [] } = choice;
  const again = refusedFields(refused);
  const rows = again ? readRuleRows(again) : choice.rows;
  const questions = chosen.flatMap(({ questions }) => questions);
  const lacking = chosen.reduce((sum, row) => sum + row.lacking, 0);
  const choose = { name: 'shuffle', value: nextSeed };
  const total = totalOf(rows, chosen);
  const isChosen = choice.chosen !== undefined;
  // Errors of fields stand at the fields.
  const isWrong = Object.keys(errors).some((field) => field !== 'rows');
  let before = 0;
  return (
    <Dialog title="按规则选题" closeHref={closeHref} width={980}>
      <AddressForm href={hrefs.form} className={styles.form} label="按规则选题">
        {/* Enter presses the form's first button. It chooses, and keeps an earlier choice. */}
        <button type="submit" {...(!isChosen && choose)} className="visually-hidden" tabIndex={-1} aria-hidden="true">
          选题
        </button>
        {refused?.msg && <Alert>{refused.msg}</Alert>}
        {message && !isWrong && <Alert>{message}</Alert>}
        {rows.map((row, index) => {
          const start = before;
          before += chosen[index]?.questions.length ?? 0;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
            <fieldset key={`${index} of ${rows.length}`} className={styles.rule}>
              <legend>第 {index + 1} 行</legend>
              <Fields row={row} index={index} banks={banks} errors={errors} dropped={rows.length > 1} />
              {chosen[index] && <Chosen row={chosen[index]} start={start} linked={linked} />}
            </fieldset>
          );
        })}
        <datalist id="rule-points">
          {points.map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
        <div className={styles.below}>
          <AddressButton name="add" value="1" className={styles.add} disabled={rows.length >= ruleRowsLimit}>
            添加一行
          </AddressButton>
          <Field label="近几天未用" error={errors.unused_days?.[0]} name="unused_days" id="unused_days">
            {(shared) => (
              <input {...shared} type="text" inputMode="numeric" defaultValue={unusedDays} placeholder="不限" />
            )}
          </Field>
        </div>
        <DialogActions>
          <span className={styles.total} role="status">
            {isWrong && <strong>{message}</strong>}
            {isChosen && (
              <>
                共选出 {questions.length} 题{total !== undefined && `，${formatScore(total)} 分`}
                {lacking > 0 && (
                  <>
                    ，<strong>还缺 {lacking} 题</strong>
                  </>
                )}
              </>
            )}
          </span>
          <Button component="a" href={closeHref} variant="default">
            取消
          </Button>
          {isChosen ? (
            <>
              <Button type="submit" variant="default">
                更新
              </Button>
              <Button type="submit" variant="default" {...choose}>
                换一组
              </Button>
              <Button type="submit" formMethod="post" formAction={hrefs.post} disabled={questions.length === 0}>
                {addLabel}
              </Button>
            </>
          ) : (
            <Button type="submit" {...choose}>
              选题
            </Button>
          )}
        </DialogActions>
      </AddressForm>
    </Dialog>
  );
}

/** Sum of the typed scores; undefined if a row has none. Each part of a material question gets the score. */
function totalOf(rows: readonly RuleRowFields[], chosen: readonly ChosenRow[]): number | undefined {
  let total = 0;
  for (const [index, { questions }] of chosen.entries()) {
    const score = normalizeNumber(rows[index]?.score);
    if (questions.length > 0 && (score === '' || Number.isNaN(Number(score)))) return undefined;
    for (const { preview } of questions) total += Number(score) * Math.max(1, preview?.item_count ?? 0);
  }
  return total;
}

interface FieldsProps {
  row: RuleRowFields;
  index: number;
  banks: RuleDialogProps['banks'];
  errors: RuleChoice['errors'];
  /** True if the row may be dropped. */
  dropped: boolean;
}

function Fields({ row, index, banks, errors, dropped }: FieldsProps) {
  const select = (
    name: keyof RuleRowFields,
    label: string,
    choices: readonly (readonly [string | number, string])[],
  ) => (
    <Field label={label} name={name} id={`${name}-${index}`} error={errors[`rows.${index}.${name}`]?.[0]}>
      {(shared) => (
        <select {...shared} defaultValue={row[name]}>
          {choices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  const text = (name: keyof RuleRowFields, label: string, more: Record<string, string> = {}) => (
    <Field label={label} name={name} id={`${name}-${index}`} error={errors[`rows.${index}.${name}`]?.[0]}>
      {(shared) => <input {...shared} type="text" defaultValue={row[name]} {...more} />}
    </Field>
  );
  return (
    <div className={styles.fields}>
      {text('point', '章节或知识点', { list: 'rule-points', placeholder: '不限' })}
      {select('bank', '题库', banks)}
      {text('tag', '我的标签', { placeholder: '不限' })}
      {select('ques_type', '题型', [['', '不限'], ...questionTypeChoices])}
      {select('from', '难度从', difficulties)}
      {select('to', '难度到', difficulties)}
      {text('count', '题数', { inputMode: 'numeric' })}
      {text('score', '每题分值', { inputMode: 'decimal', placeholder: '默认' })}
      <AddressButton
        name="drop"
        value={index + 1}
        disabled={!dropped}
        className={`${rowActionClass} ${styles.drop}`}
        data-danger
        aria-label={`删除第${index + 1}行`}
      >
        删除
      </AddressButton>
    </div>
  );
}

const difficulties = [
  ['', '不限'],
  ...[1, 2, 3, 4, 5].map((value) => [value, `${value} ${difficultyName(value)}`] as const),
] as const;

interface FieldProps {
  label: string;
  name: string;
  id: string;
  error: string | undefined;
  children: (shared: object) => ReactNode;
}

function Field({ label, name, id, error, children }: FieldProps) {
  const shared = {
    id,
    name,
    className: controlClass,
    autoComplete: 'off',
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error && `${id}-error`,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(shared)}
      {error && (
        <span className={styles.error} id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}

interface ChosenProps {
  row: ChosenRow;
  /** Number of questions of the rows before. */
  start: number;
  linked: boolean;
}

function Chosen({ row: { matching, lacking, questions }, start, linked }: ChosenProps) {
  return (
    <>
      <p className={styles.matching}>
        符合 {matching} 道，取 {questions.length} 道{lacking > 0 && <strong>，还缺 {lacking} 道</strong>}
      </p>
      <input type="hidden" name="chosen" value={questions.map(({ id }) => id).join(',')} />
      <ol className={styles.questions} start={start + 1}>
        {questions.map(({ id, stem_text, ques_type, facility_value, preview, point_name }, index) => (
          <li key={id}>
            <div className={styles.stem}>
              <StemPreview id={id} text={stem_text} preview={preview} inNewTab unlinked={!linked} />
              <span className={styles.facts}>
                {questionTypeNames[ques_type]}　<Difficulty value={facility_value} />
                {point_name && `　${point_name}`}
              </span>
            </div>
            <AddressButton
              name="exchange"
              value={id}
              className={rowActionClass}
              aria-label={`换一道：第${start + index + 1}题`}
            >
              换一道
            </AddressButton>
          </li>
        ))}
      </ol>
    </>
  );
}
