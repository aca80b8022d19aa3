/**
 * Field for the content of a notice. Without client JS it is a textarea with plain text, or with HTML if the notice has
 * formats. With client JS it is the rich text editor. `content.as` tells the server which of them was sent.
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

  // Takes over the text that was typed before hydration. A layout effect, so that nothing can be typed in between.
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
