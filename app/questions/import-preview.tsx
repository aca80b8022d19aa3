/** Preview of a question import: the parsed questions, and which of them to import. */
import { Button } from '@mantine/core';
import type { ImportNote, ImportRow, ImportState } from '#server/questions/import.contract.ts';
import type { ListView } from '../lib/list-view.ts';
import { Form, Submit } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import styles from './import.work.module.css';
import { QuestionView } from './question-view.tsx';

/** Labels of the two import buttons: `all` for all questions, `good` for those without errors. */
export interface ImportWords {
  all: string;
  good: string;
}

export interface ImportPreviewProps {
  found: ImportState;
  idempotencyKey: string;
  view: ListView;
  /** `errors`: true if the list only shows questions with errors. `otherHref`: address of the other list. */
  only: { errors: boolean; otherHref: string };
  words: ImportWords;
}

export function ImportPreview({ found, idempotencyKey, view, only, words }: ImportPreviewProps) {
  const { total, good, rows, notes, lossy, file_name } = found;
  const bad = total - good;
  return (
    <>
      <section className={styles.summary} aria-label="识别结果">
        <p>
          {file_name}：识别到 <strong>{total}</strong> 道题目，<strong>{good}</strong> 道可以导入
          {bad > 0 && (
            <>
              ，<strong className={styles.bad}>{bad}</strong> 道有错误
            </>
          )}
          {lossy > 0 && `，${lossy} 道有未能保留的内容`}。
        </p>
        {bad > 0 && <a href={only.otherHref}>{only.errors ? '查看全部题目' : '只看有错误的题目'}</a>}
      </section>
      <Notes title="文件" notes={notes} kind="bad" />
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
            <span id="why-not-all">有错误时不能全部导入：请修改文件后重新上传，或仅导入正确的题目</span>
          </>
        )}
      </Form>
      <List
        view={view}
        result={rows}
        nothing="没有题目"
        body={(questions) => (
          <ol className={styles.rows} start={(rows.page - 1) * rows.limit + 1}>
            {questions.map((question) => (
              <Row key={question.sort} row={question} />
            ))}
          </ol>
        )}
      />
    </>
  );
}

function Row({ row }: { row: ImportRow }) {
  const isBad = row.errors.length > 0;
  return (
    <li data-bad={isBad ? '' : undefined}>
      <h2>
        第 {row.sort} 题 <span>{row.place}</span>
        {isBad ? <em>有错误，不会导入</em> : <strong>可以导入</strong>}
      </h2>
      <Notes title="导入提示" notes={row.errors} kind="bad" />
      <Notes title="未能保留" notes={row.losses} kind="warn" />
      <QuestionView question={row} />
      {row.remark && <p className={styles.remark}>备注：{row.remark}</p>}
    </li>
  );
}

function Notes({ title, notes, kind }: { title: string; notes: ImportNote[]; kind: 'bad' | 'warn' }) {
  if (notes.length === 0) return null;
  return (
    <section className={styles.notes} data-kind={kind} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {notes.map(({ where, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two notes may be the same.
          <li key={index}>
            {where}：{message}
          </li>
        ))}
      </ul>
    </section>
  );
}
