/** Students in a dialog, class by class as they come: each leads to the answers, and all of them can be handed on. */
import type { ReactNode } from 'react';
import type { ListView } from '../lib/list-view.ts';
import { Copyables } from '../ui/copyable.tsx';
import { ExportButton } from '../ui/export-button.tsx';
import { List } from '../ui/list.tsx';
import { RowAction } from '../ui/row-action.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import styles from './student-list.module.css';
import type { ListedStudent, listed } from './students.server.ts';

type StudentListProps = Awaited<ReturnType<typeof listed>> & {
  view: ListView;
  /** Of the last column; left out where there are no notes. */
  noteName?: string | undefined;
  /** What else can be done with these students. */
  actions?: ReactNode;
};

export function StudentList({ view, students, copies, noteName, actions }: StudentListProps) {
  return (
    <List
      view={view}
      result={students}
      nothing="没有学员"
      above={
        students.total > 0 && (
          <>
            <Toolbar start={students.list.some(({ href }) => href) && '点击姓名查看该学员的作答'}>
              {actions}
              <ExportButton action={view.here} />
            </Toolbar>
            {copies && (
              <details className={`${styles.copies} no-print`}>
                <summary>复制名单</summary>
                <Copyables
                  texts={[
                    { label: `姓名（${students.total} 人）`, id: 'copied-names', value: copies.names },
                    { label: '手机号', id: 'copied-mobiles', value: copies.mobiles },
                  ]}
                />
              </details>
            )}
          </>
        )
      }
      body={(rows) => <Names students={rows} noteName={noteName} />}
    />
  );
}

function Names({ students, noteName }: { students: ListedStudent[]; noteName: string | undefined }) {
  const hasTalks = students.some(({ talkHref }) => talkHref);
  return (
    <table className={styles.students}>
      <thead>
        <tr>
          <th scope="col">学员</th>
          <th scope="col">班级</th>
          <th scope="col">手机号</th>
          {noteName && <th scope="col">{noteName}</th>}
          {hasTalks && <th scope="col">操作</th>}
        </tr>
      </thead>
      <tbody>
        {students.map(({ id, nickname, class_name, mobile, href, talkHref, note }) => (
          <tr key={id}>
            <td>{href ? <a href={href}>{nickname}</a> : nickname}</td>
            <td>{class_name}</td>
            <td>{mobile || '-'}</td>
            {noteName && <td>{note ?? '-'}</td>}
            {hasTalks && <td>{talkHref && <RowAction label="沟通记录" of={nickname} href={talkHref} />}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
