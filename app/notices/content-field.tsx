/**
 * The content of an announcement: a text area of plain text, or of HTML where there are formats; with client JS the
 * editor of rich texts. Which of the two was sent is said in `content.as`.
 */
import { useEffect, useRef, useState } from 'react';
import { htmlOf, plainTextOf } from '../questions/question-form-data.ts';
import { LiveField } from '../questions/rich-field.tsx';
import { controlClass } from '../ui/field.tsx';
import styles from './notice.module.css';

export function ContentField({ initial, error }: { initial: string; error: string | undefined }) {
  const [html, setHtml] = useState(initial);
  const [isLive, setLive] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const text = plainTextOf(initial);

  // What was typed before the script came is taken over.
  useEffect(() => {
    const typed = area.current?.value;
    if (typed !== undefined && typed !== (text ?? initial)) setHtml(text === undefined ? typed : htmlOf(typed));
    setLive(true);
  }, [initial, text]);

  return (
    <div className={styles.content}>
      <label htmlFor="notice-content" id="notice-content-label">
        内容<span aria-hidden="true"> *</span>
      </label>
      {isLive ? (
        <>
          <input type="hidden" name="content" value={html} />
          <input type="hidden" name="content.as" value="html" />
          <LiveField
            id="notice-content"
            html={html}
            rows={12}
            required
            isInvalid={error !== undefined}
            onChange={setHtml}
          />
        </>
      ) : (
        <>
          <textarea
            ref={area}
            id="notice-content"
            name="content"
            rows={12}
            defaultValue={text ?? initial}
            className={controlClass}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'notice-content-error' : undefined}
          />
          <input type="hidden" name="content.as" value={text === undefined ? 'html' : 'text'} />
          {text === undefined && <p className={styles.hint}>内容带格式，按 HTML 编辑</p>}
        </>
      )}
      {error && (
        <p className={styles.error} id="notice-content-error">
          {error}
        </p>
      )}
    </div>
  );
}
