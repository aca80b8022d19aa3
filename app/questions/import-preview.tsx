/** Preview of a question import: the paper on the left, its questions and their corrections on the right. */
import { Button } from '@mantine/core';
import type { ImportState } from '#server/questions/import.contract.ts';
import { emptyAnswer, importMessages } from '#server/questions/import.rules.ts';
import type { ListView } from '../lib/list-view.ts';
import { Form, Submit } from '../ui/form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { Island } from '../ui/island.tsx';
import { List } from '../ui/list.tsx';
import { Moment } from '../ui/moment.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import { SwitchLinks } from '../ui/switch-links.tsx';
import styles from './import.work.module.css';
import { SmallButton, SmallSelect, SmallText } from './import-fields.tsx';
import { ImportedRow, Notes, pointList } from './import-row.tsx';
import { formDifficultyChoices, questionTypeChoices } from './terms.ts';

/** Labels of the two import buttons: `all` for all questions, `good` for those without errors. */
export interface ImportWords {
  all: string;
  good: string;
}

export interface ImportPreviewProps {
  found: ImportState;
  idempotencyKey: string;
  view: ListView;
  refused: RefusedForm | undefined;
  /** Address of the list with this filter; undefined for all questions. */
  filterHref: (only: 1 | 2 | 3 | undefined) => string;
  only: 1 | 2 | 3 | undefined;
  /** Address of a page of the unfiltered list. */
  pageHref: (page: number) => string;
  editHref: (row: number) => string;
  /** Address of the page about the columns of a spreadsheet. */
  columnsHref: string;
  words: ImportWords;
  /** Paths of knowledge points to choose from; undefined for a paper, whose questions have none. */
  points?: readonly string[] | undefined;
}

export function ImportPreview(props: ImportPreviewProps) {
  const { found, idempotencyKey, view, refused, editHref, points } = props;
  const refusedRow = refused?.typed?.find(([name]) => name === 'row')?.[1];
  const isBulk = refused?.typed?.some(([name]) => name === 'bulk');
  return (
    <div data-import="" className={styles.preview}>
      <Summary {...props} />
      <Notes title="文件" notes={found.notes} kind="bad" />
      <Notes title="文件存疑" notes={found.doubts} kind="warn" />
      <Last {...props} />
      <div className={styles.tools}>
        <Filters {...props} />
        <Bulk {...props} refused={isBulk ? refused : undefined} />
        <UnknownPoints found={found} />
        <LeftOut found={found} />
        <Keys />
      </div>
      <div className={styles.both} data-paper={found.paper.length > 0 ? '' : undefined}>
        <Paper lines={found.paper} />
        <div>
          <List
            view={view}
            result={found.rows}
            nothing="没有题目"
            body={(rows) => (
              <ol className={styles.rows} start={rows[0]?.sort}>
                {rows.map((row) => (
                  <ImportedRow
                    key={row.row}
                    row={row}
                    paper={found.paper}
                    idempotencyKey={idempotencyKey}
                    refused={refusedRow === String(row.row) ? refused : undefined}
                    havePoints={points !== undefined}
                    editHref={editHref(row.row)}
                  />
                ))}
              </ol>
            )}
          />
        </div>
      </div>
      <Commit {...props} />
      <datalist id={pointList}>
        {points?.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <Island name="import-preview.island" props={{}} fallback={null} />
    </div>
  );
}

function Summary({ found, pageHref, columnsHref }: ImportPreviewProps) {
  const { total, good, file_name, doubt_count, lacking, lossy, out, next_doubt_page } = found;
  const bad = total - good;
  return (
    <section className={styles.summary} aria-label="识别结果">
      <p>
        {file_name}：识别到 <strong>{total}</strong> 道题目，<strong>{good}</strong> 道可以导入
        {bad > 0 && (
          <>
            ，<strong className={styles.bad}>{bad}</strong> 道有问题
          </>
        )}
        {lacking > 0 && `，${lacking}处缺答案`}
        {doubt_count > 0 && (
          <>
            ，<strong className={styles.warn}>{doubt_count}</strong> 处存疑
          </>
        )}
        {lossy > 0 && `，${lossy} 道有未能保留的内容`}
        {out > 0 && `，${out} 道已排除`}。
      </p>
      {next_doubt_page !== null && (
        <a href={pageHref(next_doubt_page)} data-next-page="">
          后面的页还有需要核对的题目
        </a>
      )}
      {found.has_columns && <a href={columnsHref}>调整列对应</a>}
      <p className={styles.quiet}>
        修改随时保存，可以离开后再继续，保留到 <Moment at={found.expires_at} />
      </p>
    </section>
  );
}

function Last({ found: { last }, idempotencyKey }: ImportPreviewProps) {
  if (!last) return null;
  return (
    <Form className={styles.last} idempotencyKey={idempotencyKey} data-live="">
      <input type="hidden" name="number" value={last.number} />
      <span role="status">{last.said}</span>
      <SmallButton intent="undo" shortcut="z">
        撤销
      </SmallButton>
      {last.offer && (
        <SmallButton intent="repeat" shortcut="r">{`${last.offer.said}（还有${last.offer.count}道）`}</SmallButton>
      )}
    </Form>
  );
}

function Filters({ found, only, filterHref }: ImportPreviewProps) {
  const link = (label: string, value: 1 | 2 | 3 | undefined, count: number) => ({
    label: value === undefined ? label : `${label} ${count}`,
    href: filterHref(value),
    current: only === value,
  });
  return (
    <SwitchLinks
      label="筛选"
      links={[
        link('全部', undefined, found.total),
        link('有问题', 1, found.total - found.good),
        link('存疑', 2, found.doubtful),
        link('已排除', 3, found.out),
      ]}
    />
  );
}

function Bulk({ found, idempotencyKey, refused, points }: ImportPreviewProps) {
  return (
    <details className={styles.tool} open={refused ? true : undefined}>
      <summary>批量修改</summary>
      <Form className={styles.fields} idempotencyKey={idempotencyKey} refused={refused} data-live="bulk">
        <input type="hidden" name="bulk" value="1" />
        <SmallSelect
          name="section"
          label="范围"
          of="bulk"
          choices={found.sections.map(({ section, total }) => [section, `${section}（${total}道）`])}
          empty="全部题目"
        />
        <SmallSelect name="of_type" label="其中的" of="bulk" choices={questionTypeChoices} empty="所有题型" />
        <SmallSelect
          name="ques_type"
          label="题型改为"
          of="bulk"
          choices={questionTypeChoices.filter(([type]) => type !== 6)}
          empty="不改"
        />
        <SmallText name="score" label="每题分值" of="bulk" decimal className={styles.short} />
        <SmallSelect name="facility_value" label="难度" of="bulk" choices={formDifficultyChoices} empty="不改" />
        {points && <SmallText name="point" label="知识点" of="bulk" list={pointList} className={styles.point} />}
        <label className={styles.check}>
          <input type="checkbox" name="empty_answer" value="1" /> 没有答案的简答题填“{emptyAnswer}”
        </label>
        <SmallButton intent="bulk">修改</SmallButton>
      </Form>
    </details>
  );
}

const UnknownPoints = ({ found: { unknown_points } }: { found: ImportState }) =>
  unknown_points.length > 0 && (
    <details className={styles.tool}>
      <summary>学校没有的知识点 {unknown_points.length}</summary>
      <p className={styles.quiet}>{importMessages.pointInRemark}。改一道题的知识点后，可以一次改完写法相同的。</p>
      <ul>
        {unknown_points.map(({ point, total }) => (
          <li key={point}>
            {point}（{total}道）
          </li>
        ))}
      </ul>
    </details>
  );

const LeftOut = ({ found: { left_out } }: { found: ImportState }) =>
  left_out.length > 0 && (
    <details className={styles.tool}>
      <summary>没有读入的内容 {left_out.length}</summary>
      <Notes title="没有读入的内容" notes={left_out} kind="plain" />
    </details>
  );

const keys = [
  ['J / K', '下一题、上一题'],
  ['N', '下一处需要核对的题目'],
  ['C', '核对无误'],
  ['T A S D P', '题型、答案、分值、难度、知识点'],
  ['O', '展开选项与整理'],
  ['E', '编辑整题'],
  ['B', '并入上一题'],
  ['M', '归入上面的材料题'],
  ['X', '排除、恢复'],
  ['Z', '撤销'],
  ['R', '本大题都这样'],
] as const;

/** Only useful with client JS, which shows it. */
const Keys = () => (
  <details className={styles.tool} data-keys="" hidden>
    <summary data-key="?">快捷键 ?</summary>
    <dl className={styles.keys}>
      {keys.map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </details>
);

function Paper({ lines }: { lines: ImportState['paper'] }) {
  if (lines.length === 0) return null;
  return (
    <details className={styles.paper} open data-paper-lines="">
      <summary>原卷</summary>
      <div>
        {lines.map(({ line, html, marked }) => (
          <div
            key={line}
            id={`line-${line}`}
            className={styles.line}
            data-line={line}
            data-marked={marked ? '' : undefined}
          >
            <span>{line}</span>
            <RichHtml html={html} />
          </div>
        ))}
      </div>
    </details>
  );
}

function Commit({ found, idempotencyKey, words }: ImportPreviewProps) {
  const { total, good, notes } = found;
  const bad = total - good;
  return (
    <Form className={styles.commit} idempotencyKey={idempotencyKey}>
      <Submit intent="drop" variant="default">
        放弃并重新上传
      </Submit>
      {bad === 0 && notes.length === 0 ? (
        <Submit intent="all" disabled={total === 0}>
          {words.all}
        </Submit>
      ) : (
        <>
          <Button type="button" variant="default" disabled aria-describedby="why-not-all">
            全部导入
          </Button>
          <Submit intent="good" disabled={good === 0}>
            {words.good}
          </Submit>
          <span id="why-not-all">
            {bad > 0 ? `还有${bad}道有问题：请改正、排除，或仅导入正确的题目` : '文件有错误，不能全部导入'}
          </span>
        </>
      )}
    </Form>
  );
}
