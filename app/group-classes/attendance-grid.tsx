/**
 * Attendance of a class: students down, sessions across. Thousands of cells on a page without client JS, so a cell is
 * as little as it can be: one form around the grid, and in each cell that offers something one button that opens its
 * dialog (document 3, section 4).
 */
import {
  type AttendanceCell,
  allowedAttendance,
  attendanceKey,
  attendanceName,
  type StudentAttendance,
  type TeamSession,
} from '#server/group-classes/contract.ts';
import { sessionStatusNames } from '#server/sessions/contract.ts';
import { formatTime } from '../lib/dates.ts';
import { useTimezone } from '../shell/use-school.ts';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import styles from './attendance-grid.module.css';

interface GridProps {
  classId: number;
  sessions: TeamSession[];
  students: StudentAttendance[];
  /** `session-student` of the cell that was changed last: the page comes back to it. */
  at: string | null;
}

export function AttendanceGrid({ classId, sessions, students, at }: GridProps) {
  const timezone = useTimezone();
  if (students.length === 0 || sessions.length === 0) {
    return <p className={styles.empty}>{students.length === 0 ? '该班级还没有学员' : '该班级还没有排课'}</p>;
  }
  const columns = sessions.map((session) => ({ id: session.id, key: attendanceKey(session) }));
  return (
    <form action="/curriculum/detail/attendance">
      <HiddenFields
        fields={[
          ['id', String(classId)],
          ['tab', '2'],
        ]}
      />
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
                  {formatTime(session.arrange_time, timezone).slice(5)}
                  <span>{sessionStatusNames[session.status]}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {students.map(({ clue_id, clue_name, attendance }) => (
              <tr key={clue_id}>
                <th scope="row">{clue_name}</th>
                {columns.map(({ id, key }) => (
                  <Cell key={id} cell={attendance[key]} value={`${id}-${clue_id}`} at={at} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </form>
  );
}

function Cell({ cell, value, at }: { cell: AttendanceCell | undefined; value: string; at: string | null }) {
  // The student was not in the class yet.
  if (!cell) return <td />;
  const { status, attendance, remarks } = cell;
  const name = attendanceName(attendance);
  return (
    <td id={value === at ? 'at' : undefined} data-a={attendance ?? undefined} title={remarks || undefined}>
      {allowedAttendance(status, attendance).length > 0 ? (
        <button type="submit" name="cell" value={value}>
          {name}
        </button>
      ) : (
        name
      )}
    </td>
  );
}
