import type { ImportRecord } from '#server/import/contract.ts';
import styles from './import.posts.module.css';

/** Doubts about the whole file, which no row shows. */
export const FileDoubts = ({ record }: { record: ImportRecord }) =>
  record.file_doubts.length > 0 && (
    <ul className={styles.said}>
      {record.file_doubts.map((doubt) => (
        <li key={doubt}>{doubt}</li>
      ))}
    </ul>
  );
