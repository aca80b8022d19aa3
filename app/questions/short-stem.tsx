import { RichHtml } from '../ui/rich-html.tsx';
import styles from './short-stem.module.css';

/** A stem in two lines of a table: line breaks become spaces, pictures are small. */
export function ShortStem({ html }: { html: string }) {
  return (
    <span className={styles.short}>
      <RichHtml html={html} inline />
    </span>
  );
}
