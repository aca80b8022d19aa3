import { Hint } from '../ui/hint.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import styles from './hinted-stem.module.css';
import { ShortStem } from './short-stem.tsx';

interface HintedStemProps {
  id: number | string;
  html: string;
  /** HTML of the material that the question belongs to. */
  material: string | null | undefined;
}

/** Shows the first two lines of a stem; hover and focus show the whole stem and its material. */
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
