/** Tags of an own question; each leads to the questions that have it. */
import { questionList } from './screens.ts';
import styles from './tags.module.css';

export const Tags = ({ tags }: { tags: readonly string[] }) =>
  tags.length > 0 && (
    <ul className={styles.tags} aria-label="标签">
      {tags.map((tag) => (
        <li key={tag}>
          <a href={questionList.href({ tag })}>{tag}</a>
        </li>
      ))}
    </ul>
  );
