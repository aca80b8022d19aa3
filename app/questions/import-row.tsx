/** A question of an import preview: what was read, what is doubtful, and the form that corrects it. */
import { optionLetter } from '#server/platform/text/rules.ts';
import type { ImportNote, ImportRow, ImportState } from '#server/questions/import.contract.ts';
import {
  arrangementNames,
  bankChoices,
  importMessages,
  leaveOutFault,
  restoreFault,
} from '#server/questions/import.rules.ts';
import { hasOptions, type QuestionType } from '#server/questions/rules.ts';
import { Form } from '../ui/form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import { Tag } from '../ui/tag.tsx';
import styles from './import.work.module.css';
import { SmallButton, SmallSelect, SmallText } from './import-fields.tsx';
import { QuestionView } from './question-view.tsx';
import { formDifficultyChoices, questionTypeChoices, questionTypeName } from './terms.ts';

export interface RowProps {
  row: ImportRow;
  paper: ImportState['paper'];
  idempotencyKey: string;
  /** Refused form of this row. */
  refused: RefusedForm | undefined;
  /** True if questions can have a knowledge point; a paper's cannot. */
  havePoints: boolean;
  /** Address of the form for the whole question. */
  editHref: string;
}

/** Id of the list of knowledge points. */
export const pointList = 'knowledge-points';

const anchor = (row: number) => `q-${row}`;

export function ImportedRow(props: RowProps) {
  const { row, idempotencyKey, refused } = props;
  const isOut = row.state === 2;
  const looks = !isOut && (row.errors.length > 0 || row.doubts.length > 0);
  return (
    <li
      id={anchor(row.row)}
      className={styles.row}
      data-row={row.row}
      data-from={row.lines?.from}
      data-to={row.lines?.to}
      data-look={looks ? '' : undefined}
      data-kind={isOut ? 'out' : row.errors.length > 0 ? 'bad' : row.doubts.length > 0 ? 'warn' : undefined}
      tabIndex={-1}
    >
      <h2>
        第 {row.sort} 题
        <span>
          {row.number && `原题号 ${row.number}，`}
          {row.place}
        </span>
        <RowTags row={row} />
      </h2>
      <Form
        className={styles.form}
        idempotencyKey={idempotencyKey}
        refused={refused}
        values={valuesOf(row)}
        data-live=""
        noValidate
      >
        <HiddenField name="row" />
        <HiddenField name="version" />
        {/* Enter in a field presses the form's first button. */}
        <button type="submit" name="intent" value="save" className="visually-hidden" tabIndex={-1} aria-hidden="true">
          保存
        </button>
        {isOut ? <LeftOut row={row} /> : <Taken {...props} />}
      </Form>
    </li>
  );
}

function RowTags({ row }: { row: ImportRow }) {
  if (row.state === 2) return <Tag>已排除</Tag>;
  return (
    <>
      {row.errors.length > 0 && <Tag tone="bad">有问题</Tag>}
      {row.doubts.length > 0 && <Tag tone="warn">{`存疑${row.doubts.length}处`}</Tag>}
      {row.bank && <Tag tone="warn">{row.bank.match === 1 ? '题库已有' : '题库有相似题'}</Tag>}
      {row.can_restore && <Tag tone="accent">已修改</Tag>}
    </>
  );
}

const valuesOf = (row: ImportRow) => ({
  row: row.row,
  version: row.version,
  ques_type: row.ques_type,
  answer: row.answer,
  score: row.score ?? '',
  facility_value: row.facility_value || '',
  options: row.options ?? '',
  point: row.point,
  line: '',
  count: 1,
  ...Object.fromEntries(
    row.ques_item.flatMap((part, index) => [
      [`part_answers.${index}`, part.answer],
      [`part_scores.${index}`, part.score ?? ''],
    ]),
  ),
});

const LeftOut = ({ row }: { row: ImportRow }) => (
  <>
    <RichHtml html={row.display.ques_stem} />
    <div className={styles.acts}>
      <SmallButton intent="take-back" shortcut="x">
        {arrangementNames['take-back']}
      </SmallButton>
    </div>
  </>
);

function Taken({ row, paper, editHref, havePoints }: RowProps) {
  const type = row.ques_type as QuestionType;
  const isMaterial = type === 6;
  return (
    <>
      <Notes title="需要修改" notes={row.errors} kind="bad" />
      <Notes title="存疑" notes={row.doubts} kind="warn">
        <SmallButton intent="confirm" shortcut="c">
          {arrangementNames.confirm}
        </SmallButton>
      </Notes>
      <Notes title="未能保留" notes={row.losses} kind="plain" />
      {row.bank && <BankMatch row={row} bank={row.bank} />}
      <Content row={row} />
      <div className={styles.fields}>
        <SmallSelect
          name="ques_type"
          label="题型"
          of={row.row}
          shortcut="t"
          choices={questionTypeChoices}
          empty="请选择"
        />
        {!isMaterial && (
          <SmallText
            name="answer"
            label="答案"
            of={row.row}
            shortcut="a"
            className={styles.answer}
            {...(type === 5 && { lines: 2 })}
            placeholder={answerHints[type]}
          />
        )}
        <SmallText name="score" label="分值" of={row.row} shortcut="s" decimal className={styles.short} />
        <SmallSelect
          name="facility_value"
          label="难度"
          of={row.row}
          shortcut="d"
          choices={formDifficultyChoices}
          empty="请选择"
        />
        {havePoints && (
          <SmallText name="point" label="知识点" of={row.row} shortcut="p" list={pointList} className={styles.point} />
        )}
        <SmallButton intent="save">保存</SmallButton>
      </div>
      {row.point_note && (
        <p className={styles.quiet}>
          知识点“{row.point}”：{row.point_note}
        </p>
      )}
      {isMaterial &&
        row.ques_item.map((part, index) => <PartFields key={anchor(index)} row={row} part={part} index={index} />)}
      <details className={styles.more} open={undefined}>
        <summary data-key="o">选项、合并、拆分、排除…</summary>
        {row.options !== null && hasOptions(type) && type !== 2 && (
          <SmallText
            name="options"
            label="选项（每行一个，增删行即增删选项）"
            of={row.row}
            lines={Math.min(Math.max(row.ques_option.length, 3), 10)}
          />
        )}
        <Arrangements row={row} paper={paper} editHref={editHref} />
      </details>
    </>
  );
}

const answerHints: Partial<Record<QuestionType, string>> = {
  1: '如 A',
  2: '对 或 错',
  3: '如 ABC',
  4: '如 AC',
  7: '各空用；隔开',
};

function Content({ row }: { row: ImportRow }) {
  const { display, ques_option } = row;
  return (
    <div className={styles.content}>
      <RichHtml html={display.ques_stem} />
      <Options display={display} options={ques_option} />
      {display.ques_analysis && (
        <details>
          <summary>解析</summary>
          <RichHtml html={display.ques_analysis} />
        </details>
      )}
      {row.remark && <p className={styles.quiet}>备注：{row.remark}</p>}
      {row.tags && (
        <p className={styles.quiet} data-written>
          标签：{row.tags}
        </p>
      )}
    </div>
  );
}

const Options = ({ display, options }: { display: ImportRow['display']; options: ImportRow['ques_option'] }) =>
  options.length > 0 && (
    <ol className={styles.options}>
      {options.map(({ is_right }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place.
        <li key={index} data-right={is_right === 1 ? '' : undefined}>
          <span>{optionLetter(index)}</span>
          <RichHtml html={display.ques_option[index] ?? ''} />
          {is_right === 1 && <span className="visually-hidden">正确答案</span>}
        </li>
      ))}
    </ol>
  );

type Part = ImportRow['ques_item'][number];

function PartFields({ row, part, index }: { row: ImportRow; part: Part; index: number }) {
  const of = `${row.row}-${index}`;
  return (
    <fieldset className={styles.part}>
      <legend>
        第 {index + 1} 小题 {questionTypeName(part.ques_type)}
      </legend>
      <RichHtml html={part.display.ques_stem} />
      <Options display={part.display} options={part.ques_option} />
      <div className={styles.fields}>
        <SmallText
          name={`part_answers.${index}`}
          label="答案"
          of={of}
          className={styles.answer}
          {...(part.ques_type === 5 && { lines: 2 })}
          {...(index === 0 && { shortcut: 'a' })}
        />
        <SmallText name={`part_scores.${index}`} label="分值" of={of} decimal className={styles.short} />
      </div>
    </fieldset>
  );
}

function Arrangements({ row, paper, editHref }: Pick<RowProps, 'row' | 'paper' | 'editHref'>) {
  const { lines } = row;
  const inside = lines ? paper.filter(({ line }) => line > lines.from && line <= lines.to) : [];
  const isFirst = row.sort === 1;
  return (
    <div className={styles.acts}>
      <a className={styles.small} href={editHref} data-key="e">
        编辑整题
      </a>
      <SmallButton intent="join" shortcut="b" fault={isFirst ? importMessages.noBefore : undefined}>
        {arrangementNames.join}
      </SmallButton>
      <SmallButton intent="part" shortcut="m" fault={isFirst ? importMessages.noMaterial : undefined}>
        {arrangementNames.part}
      </SmallButton>
      <SmallButton intent="leave-out" shortcut="x" fault={leaveOutFault(row)}>
        {arrangementNames['leave-out']}
      </SmallButton>
      <SmallButton intent="restore" fault={restoreFault(row.can_restore)}>
        {arrangementNames.restore}
      </SmallButton>
      {inside.length > 0 && (
        <span className={styles.pair}>
          <SmallSelect
            name="line"
            label="拆分位置"
            of={row.row}
            choices={inside.map(({ line, html }) => [line, `第${line}行 ${textOf(html)}`])}
            empty="请选择行"
          />
          <SmallButton intent="split">{arrangementNames.split}</SmallButton>
        </span>
      )}
      {row.ques_type === 6 ? (
        <SmallButton intent="dissolve">{arrangementNames.dissolve}</SmallButton>
      ) : (
        <span className={styles.pair}>
          <SmallText name="count" label="后面几题是小题" of={row.row} decimal className={styles.short} />
          <SmallButton intent="material">{arrangementNames.material}</SmallButton>
        </span>
      )}
    </div>
  );
}

/** Beginning of a line of the paper, without formatting. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&\w+;/g, ' ')
    .trim()
    .slice(0, 24);

function BankMatch({ row, bank }: { row: ImportRow; bank: NonNullable<ImportRow['bank']> }) {
  return (
    <details className={styles.bank}>
      <summary>{bank.match === 1 ? '题库中已有相同的题目' : '题库中有相似的题目'}</summary>
      <div className={styles.compared}>
        <section aria-label="文件中的题目">
          <h3>文件中的题目</h3>
          <QuestionView question={row} />
        </section>
        <section aria-label="题库中的题目">
          <h3>题库中的题目</h3>
          <QuestionView question={bank} />
        </section>
      </div>
      <div className={styles.acts}>
        {bankChoices.map((choice) => (
          <SmallButton key={choice} intent={choice} pressed={row.choice === choice}>
            {arrangementNames[choice]}
          </SmallButton>
        ))}
      </div>
    </details>
  );
}

interface NotesProps {
  title: string;
  notes: ImportNote[];
  kind: 'bad' | 'warn' | 'plain';
  children?: React.ReactNode;
}

export function Notes({ title, notes, kind, children }: NotesProps) {
  if (notes.length === 0) return null;
  return (
    <section className={styles.notes} data-kind={kind} aria-label={title}>
      <ul>
        {notes.map(({ where, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two notes may be the same.
          <li key={index}>
            <Where where={where} />：{message}
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}

/** A place in the file; a line links to the paper. */
const Where = ({ where }: { where: string }) => {
  const line = /^第(\d+)行/.exec(where)?.[1];
  return line ? <a href={`#line-${line}`}>{where}</a> : where;
};
