/**
 * Content of a notice: without client JS a textarea of plain text, or of HTML if there are formats; with it the rich
 * text editor. `content.as` says which format was sent.
 */
import { Input } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { RichControl } from '../questions/rich-field.tsx';
import { htmlOf, plainTextOf } from '../questions/rich-text.ts';
import { useField } from '../ui/form-state.ts';

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
    <Input.Wrapper
      ref={place}
      id="notice-content"
      label="内容"
      withAsterisk
      description={!isLive && text === undefined && '内容带格式，按 HTML 编辑'}
      error={error}
    >
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
    </Input.Wrapper>
  );
}
