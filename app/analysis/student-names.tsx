import { Empty } from '../ui/empty.tsx';
import styles from './student-names.module.css';

interface StudentNamesProps {
  students: { report_id: number; nickname: string; class_name: string; note?: string | undefined }[];
  /** Of the last column; left out where there are no notes. */
  noteName?: string;
}

/** Students in a dialog, class by class as they come. */
export function StudentNames({ students, noteName }: StudentNamesProps) {
  if (students.length === 0) return <Empty>没有学员</Empty>;
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
