import type { Page } from '#server/platform/calls/rules.ts';
import styles from './student-names.module.css';

interface StudentNamesProps {
  students: { report_id: number; nickname: string; class_name: string; note?: string | undefined }[];
  /** Of the last column; left out where there are no notes. */
  noteName?: string;
}

/** Names on one page of a dialog. */
const limit = 100;

/** A page of names that came all at once. */
export const namesOn = <Student,>(page: number, students: Student[]): Page<Student> => ({
  list: students.slice((page - 1) * limit, page * limit),
  total: students.length,
  page,
  limit,
});

/** Students in a dialog, class by class as they come. */
export function StudentNames({ students, noteName }: StudentNamesProps) {
  return (
    <table className={styles.students}>
      <thead>
        <tr>
          <th scope="col">学员</th>
          <th scope="col">班级</th>
          {noteName && <th scope="col">{noteName}</th>}
        </tr>
      </thead>
      <tbody>
        {students.map(({ report_id, nickname, class_name, note }) => (
          <tr key={report_id}>
            <td>{nickname}</td>
            <td>{class_name}</td>
            {noteName && <td>{note ?? '-'}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
