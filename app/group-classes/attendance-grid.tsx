/**
 * Attendance of a class as a grid: rows are students, columns are lessons, counts are below. It may have thousands of
 * cells and uses no client JS, so each cell is only a button of the one form around the grid. It opens the dialog of
 * its cell.
 */
import type { AttendanceCell, StudentAttendance, TeamSession } from '#server/group-classes/contract.ts';
import { allowedAttendance, attendanceKey } from '#server/group-classes/rules.ts';
import { attendanceName, inPerson, sessionStatusNames } from '#server/sessions/rules.ts';
import { formatTime } from '../lib/dates.ts';
import { formatIdPair } from '../lib/search.ts';
import { sessionRoll } from '../sessions/screens.ts';
import { AddressButton, AddressForm } from '../ui/address-form.tsx';
import { Empty } from '../ui/empty.tsx';
import { useTimezone } from '../ui/use-school.ts';
import styles from './attendance-grid.posts.module.css';
import { teamAttendance, teamDetail } from './screens.ts';

interface GridProps {
  classId: number;
  sessions: TeamSession[];
  students: StudentAttendance[];
  /** Lesson id and student id of the cell that was changed last. The page scrolls to it. */
  at: readonly [number, number] | undefined;
}

const countRows = [
  ['出勤', 'arrived'],
  ['请假', 'leave'],
  ['旷课', 'truants'],
  ['未点名', 'uncalled'],
] as const;

export function AttendanceGrid({ classId, sessions, students, at }: GridProps) {
  const timezone = useTimezone();
  if (students.length === 0 || sessions.length === 0) {
    return <Empty>{students.length === 0 ? '该班级还没有学员' : '该班级还没有排课'}</Empty>;
  }
  const hasRoll = sessions.some(({ teaching_mode }) => teaching_mode === inPerson);
  const last = at && formatIdPair(...at);
  const columns = sessions.map((session) => ({ session, key: attendanceKey(session) }));
  return (
    <AddressForm href={teamAttendance.href(teamDetail.href({ id: classId, tab: '2' }))}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className={styles.scroll} aria-label="考勤" tabIndex={0}>
        <table className={styles.grid}>
          <caption className="visually-hidden">考勤：每行一名学员，每列一个课次，点击单元格可修改</caption>
          <thead>
            <tr>
              <th scope="col">学员</th>
              {sessions.map((session) => (
                <th
                  key={session.id}
                  scope="col"
                  data-status={session.status}
                  title={session.chapter_title || undefined}
                >
                  {session.status === 1 || session.status === 3 ? (
                    <a
                      href={sessionRoll.href({ id: session.id, back: teamDetail.href({ id: classId, tab: '2' }) })}
                      aria-label={`点名：${formatTime(session.arrange_time, timezone).slice(5)}`}
                    >
                      {formatTime(session.arrange_time, timezone).slice(5)}
                    </a>
                  ) : (
                    formatTime(session.arrange_time, timezone).slice(5)
                  )}
                  <span>{sessionStatusNames[session.status]}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {students.map(({ clue_id, clue_name, valid_status, attendance }) => (
              <tr key={clue_id}>
                <th scope="row">
                  {clue_name}
                  {valid_status === 2 && <small>（已退班）</small>}
                </th>
                {columns.map(({ session, key }) => (
                  <Cell
                    key={session.id}
                    session={session}
                    cell={attendance[key]}
                    value={formatIdPair(session.id, clue_id)}
                    last={last}
                  />
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            {countRows
              .filter(([, key]) => key !== 'uncalled' || hasRoll)
              .map(([name, key]) => (
                <tr key={key}>
                  <th scope="row">{name}</th>
                  {sessions.map((session) => (
                    <td key={session.id}>{session[key]}</td>
                  ))}
                </tr>
              ))}
          </tfoot>
        </table>
      </section>
    </AddressForm>
  );
}

interface CellProps {
  session: TeamSession;
  cell: AttendanceCell | undefined;
  value: string;
  last: string | undefined;
}

function Cell({ session, cell, value, last }: CellProps) {
  // No cell: the lesson does not expect this student, who was not in the class at that time.
  if (!cell) return <td />;
  const { attendance, remarks } = cell;
  const name = attendanceName(attendance, session.teaching_mode);
  return (
    <td id={value === last ? 'at' : undefined} data-a={attendance ?? undefined} title={remarks || undefined}>
      {allowedAttendance(session, attendance).length > 0 ? (
        <AddressButton name="cell" value={value}>
          {name}
        </AddressButton>
      ) : (
        name
      )}
    </td>
  );
}
