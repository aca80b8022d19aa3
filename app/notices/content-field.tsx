/**
 * Content of a notice: without client JS a textarea of plain text, or of HTML if there are formats; with it the rich
 * text editor. `content.as` says which format was sent.
 */
import { useLayoutEffect, useRef, useState } from 'react';
import { RichControl } from '../questions/rich-field.tsx';
import { htmlOf, plainTextOf } from '../questions/rich-text.ts';
import { useField } from '../ui/form-state.ts';
import styles from './notice.posts.module.css';

export function ContentField({ restored }: { restored: string | undefined }) {
  const { value = '', error } = useField('content');
  const initial = restored ?? value;
  const [html, setHtml] = useState(initial);
  const [isLive, setLive] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const text = plainTextOf(initial);

  // Takes over text typed before hydration. A layout effect, so that nothing is typed in between.
  useLayoutEffect(() => {
    const typed = place.current?.querySelector('textarea')?.value;
    if (typed !== undefined && typed !== (text ?? initial)) setHtml(text === undefined ? typed : htmlOf(typed));
    setLive(true);
  }, [initial, text]);

  return (
    <div ref={place} className={styles.content}>
      <label htmlFor="notice-content" id="notice-content-label">
        内容<span aria-hidden="true"> *</span>
      </label>
      <RichControl
        id="notice-content"
        name="content"
        html={html}
        rows={12}
        required
        isInvalid={error !== undefined}
        isLive={isLive}
        onChange={setHtml}
      />
      {!isLive && text === undefined && <p className={styles.hint}>内容带格式，按 HTML 编辑</p>}
      {error && (
        <p className={styles.error} id="notice-content-error">
          {error}
        </p>
      )}
    </div>
  );
}
