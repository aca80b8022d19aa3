/** Field over the image in which the text of a mark is written. */

import { useEffect, useRef } from 'react';
import styles from './markup-board.work.module.css';
import { type TextMark, textSize } from './markup-document.ts';
import { type Painter, strokeColor, textFont } from './markup-painter.ts';
import type { SessionAction } from './markup-session.ts';
import { boardUnit, canvasSize, lineHeight, type StageView } from './markup-view.ts';

interface TextEditorProps {
  mark: TextMark;
  shown: StageView;
  painter: Painter;
  dispatch: (step: SessionAction) => void;
}

const placeholder = '请输入文字内容';

export function TextEditor({ mark, shown: { view, pane }, painter, dispatch }: TextEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  const scale = boardUnit(view.image) * view.zoom;
  const fontSize = textSize * scale;
  const canvas = canvasSize(view);
  const layout = painter.layout(mark.text === '' ? { ...mark, text: placeholder } : mark, view);
  return (
    <textarea
      ref={field}
      className={styles.editor}
      style={{
        left: layout.canvas.x - pane.x,
        top: layout.canvas.y - pane.y,
        // Leaves room for the caret, so that the field wraps lines at the same words as the drawn text.
        width: Math.min(layout.canvas.w + fontSize / 2, canvas.width - layout.canvas.x + fontSize / 2),
        height: layout.canvas.h,
        font: `${fontSize}px/${lineHeight / textSize} ${textFont}`,
        color: strokeColor,
      }}
      aria-label="文字内容"
      placeholder={placeholder}
      maxLength={2000}
      value={mark.text}
      onChange={(event) => dispatch({ type: 'write', text: event.currentTarget.value })}
      onBlur={() => dispatch({ type: 'close editor' })}
    />
  );
}
