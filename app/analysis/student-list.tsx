/** List of students in a dialog. Each name links to the student's answers; names can be copied or the list exported. */
import type { ReactNode } from 'react';
import type { Page } from '#server/platform/calls/rules.ts';
import type { ListView } from '../lib/list-view.ts';
import { Copyables } from '../ui/copyable.tsx';
import { ExportButton } from '../ui/export-button.tsx';
import { List } from '../ui/list.tsx';
import { RowAction } from '../ui/row-action.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import styles from './student-list.analysis.module.css';
import type { ContactsToCopy, ListedStudent } from './students.server.ts';

interface StudentListProps {
  view: ListView;
  students: Page<ListedStudent>;
  copies: ContactsToCopy | null;
  /** Header of the column `place` (class or school). Null if all students share one. */
  placeName?: string | null;
  noteNames?: readonly string[];
  actions?: ReactNode;
}

export function StudentList({ view, students, copies, placeName = '班级', noteNames = [], actions }: StudentListProps) {
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
                    { label: `姓名（${copies.names.length} 人）`, id: 'copied-names', value: copies.names.join('、') },
                    { label: '手机号', id: 'copied-mobiles', value: copies.mobiles.join(',') },
                  ]}
                />
              </details>
            )}
          </>
        )
      }
      body={(rows) => <Names students={rows} placeName={placeName} noteNames={noteNames} />}
    />
  );
}

interface NamesProps {
  students: ListedStudent[];
  placeName: string | null;
  noteNames: readonly string[];
}

function Names({ students, placeName, noteNames }: NamesProps) {
  const hasTalks = students.some(({ talkHref }) => talkHref);
  return (
    <table className={styles.students}>
      <thead>
        <tr>
          <th scope="col">学员</th>
          {placeName && <th scope="col">{placeName}</th>}
          <th scope="col">手机号</th>
          {noteNames.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          {hasTalks && <th scope="col">操作</th>}
        </tr>
      </thead>
      <tbody>
        {students.map(({ id, nickname, place, mobile, href, talkHref, notes = [] }) => (
          <tr key={id}>
            <td>{href ? <a href={href}>{nickname}</a> : nickname}</td>
            {placeName && <td>{place}</td>}
            <td className={styles.whole}>{mobile || '-'}</td>
            {noteNames.map((name, index) => (
              <td key={name} className={styles.note}>
                {notes[index] ?? '-'}
              </td>
            ))}
            {hasTalks && (
              <td className={styles.whole}>
                {talkHref && <RowAction label="沟通记录" recordName={nickname} href={talkHref} />}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
