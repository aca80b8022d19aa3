/** The questions in order. Their buttons also work without client JS. */
import { type ReactNode, useRef } from 'react';
import { formatScore } from '#server/platform/text/rules.ts';
import type { Messages } from '../../ui/client/form-messages.ts';
import { Empty } from '../../ui/empty.tsx';
import { Submit } from '../../ui/form.tsx';
import { type PublishForm, totalTenths } from './form.ts';
import { isEverySelected, type Notice } from './operations.ts';
import formStyles from './publish.work.module.css';
import { QuestionRow } from './question-row.tsx';
import styles from './question-table.work.module.css';
import { useDragOrder } from './use-drag-order.ts';

interface QuestionTableProps {
  form: PublishForm;
  errors: Messages;
  notice: Notice | undefined;
  /** Rendered HTML (safe) of the texts that cannot be shown as plain text, by source text. */
  displays: ReadonlyMap<string, string>;
  /** Grows when the fields must show values that differ from the typed ones. */
  revision: number;
  publicBank: boolean;
  hydrated: boolean;
  here: string;
  onMove: (key: number, index: number) => void;
}

export function QuestionTable(props: QuestionTableProps) {
  const { form, errors, notice, displays, revision, publicBank, hydrated, onMove } = props;
  const { questions, selected } = form;
  const isEmpty = questions.length === 0;
  // Without client JS, the page returns to the table, not to the top of the page.
  const here = `${props.here}#question`;
  return (
    <section className={formStyles.card} id="question" aria-label="题目" tabIndex={-1}>
      <div className={styles.tools}>
        <h2>题目</h2>
        <span className={styles.total}>
          共 {questions.length} 题
          <span className={formStyles.whenScored}>，总分 {formatScore(totalTenths(form) / 10)} 分</span>
        </span>
        <Tool op="bank">从我的题库选择</Tool>
        {publicBank && <Tool op="public">从公共题库选择</Tool>}
        <Tool op="rule">按规则选题</Tool>
        <Tool op="history">从历史作业选择</Tool>
        <Tool op="import">导入题目</Tool>
        <Tool op="new">新建题目</Tool>
      </div>
      <div className={styles.tools}>
        <Tool op="select-all" here={here} disabled={isEmpty}>
          {isEverySelected(form) ? '取消全选' : '全选'}
        </Tool>
        <span className={formStyles.unset}>所选题目：</span>
        <Tool op="up" here={here} disabled={isEmpty}>
          上移
        </Tool>
        <Tool op="down" here={here} disabled={isEmpty}>
          下移
        </Tool>
        <Tool op="remove" here={here} disabled={isEmpty}>
          删除
        </Tool>
        <span className={formStyles.whenScored}>
          <Tool op="batch" here={here} disabled={isEmpty}>
            批量设置分数
          </Tool>
        </span>
        {selected.length > 0 && <span className={styles.total}>已选 {selected.length} 题</span>}
      </div>
      <p className={styles.notice} data-kind={notice?.kind} role="status">
        {notice?.msg}
      </p>
      {errors.question && <p className={styles.error}>{errors.question[0]}</p>}
      {isEmpty ? (
        <Empty>暂无题目，请从题库或历史作业中选择，或新建题目</Empty>
      ) : (
        <Rows onMove={onMove}>
          {questions.map((question, index) => (
            <QuestionRow
              key={`${question.key}.${revision}`}
              question={question}
              number={index + 1}
              selected={selected.includes(question.key)}
              errors={errors}
              displays={displays}
              hydrated={hydrated}
              here={here}
            />
          ))}
        </Rows>
      )}
    </section>
  );
}

interface ToolProps {
  op: string;
  here?: string;
  /** True if there is nothing that the operation applies to. */
  disabled?: boolean;
  children: string;
}

function Tool({ op, here, disabled, children }: ToolProps) {
  return (
    <Submit intent={op} formAction={here} data-op={op} variant="default" disabled={disabled}>
      {children}
    </Submit>
  );
}

function Rows({ onMove, children }: { onMove: QuestionTableProps['onMove']; children: ReactNode }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const onPointerDown = useDragOrder(body, onMove);
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="visually-hidden">题目</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">选择</span>
            </th>
            <th scope="col">序号</th>
            <th scope="col">题型</th>
            <th scope="col" className={styles.stemColumn}>
              题干
            </th>
            <th scope="col">难度</th>
            <th scope="col">分数</th>
            <th scope="col">操作</th>
          </tr>
        </thead>
        <tbody ref={body} onPointerDown={onPointerDown}>
          {children}
        </tbody>
      </table>
    </div>
  );
}
