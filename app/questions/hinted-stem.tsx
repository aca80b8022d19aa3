import { Hint } from '../ui/hint.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import styles from './hinted-stem.module.css';
import { ShortStem } from './short-stem.tsx';

interface HintedStemProps {
  /** Of the question. */
  id: number | string;
  html: string;
  /** The material that it belongs to. */
  material: string | null | undefined;
}

/** Two lines of a stem; the whole of it, and the material that it belongs to, on hover and on focus. */
export function HintedStem({ id, html, material }: HintedStemProps) {
  return (
    <div className={styles.stem} data-written>
      <Hint id={`stem-${id}`} content={<RichHtml html={html} />}>
        <ShortStem html={html} />
      </Hint>
      {typeof material === 'string' && (
        <Hint id={`material-${id}`} content={<RichHtml html={material} />}>
          <span className={styles.material}>材料</span>
        </Hint>
      )}
    </div>
  );
}
