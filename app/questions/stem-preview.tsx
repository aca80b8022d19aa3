/** A stem in a list. On hover and focus it shows the question with its options and answer. */
import { optionLetter } from '#server/platform/text/rules.ts';
import type { QuestionPreview } from '#server/questions/contract.ts';
import { RichHtml } from '../ui/rich-html.tsx';
import { questionDetail } from './screens.ts';
import styles from './stem-preview.module.css';

interface StemPreviewProps {
  id: number;
  text: string;
  preview: QuestionPreview | undefined;
  /** True to open the question's page in a new tab, for screens that users should not leave. */
  inNewTab?: boolean;
  /** True if the user may not open the question's page; then the stem is not a link. */
  unlinked?: boolean;
}

/** Maximum number of characters in the two lines of a row. */
const maxShown = 120;

export function StemPreview({ id, text, preview, inNewTab, unlinked }: StemPreviewProps) {
  const cut = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
  const shown = preview?.ques_stem.includes('<math') ? (
    <RichHtml html={preview.ques_stem} inline />
  ) : (
    cut || '（题干没有文字）'
  );
  return (
    <div className={styles.stem} data-written>
      {unlinked ? (
        <button type="button" className={styles.plain}>
          <span className={styles.text}>{shown}</span>
        </button>
      ) : (
        <a
          href={questionDetail.href({ id })}
          className={styles.text}
          {...(inNewTab ? { target: '_blank', rel: 'noreferrer' } : {})}
        >
          {shown}
        </a>
      )}
      {preview && <Preview preview={preview} />}
    </div>
  );
}

function Preview({ preview }: { preview: QuestionPreview }) {
  const { ques_stem, ques_option, right_answer, item_count } = preview;
  return (
    <div className={styles.preview}>
      <RichHtml html={ques_stem} />
      {ques_option.length > 0 && (
        <ol>
          {ques_option.map(({ content, is_right }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place.
            <li key={index} data-right={is_right === 1 ? '' : undefined}>
              <span>{optionLetter(index)}</span>
              <RichHtml html={content} />
            </li>
          ))}
        </ol>
      )}
      {item_count > 0 ? (
        <p className={styles.answer}>
          <span>小题</span>
          <span>{item_count} 道</span>
        </p>
      ) : (
        <div className={styles.answer}>
          <span>答案</span>
          <RichHtml html={right_answer} />
        </div>
      )}
    </div>
  );
}
