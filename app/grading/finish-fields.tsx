/** Text and fields for finishing a report, shared by the hydrated dialog and the page without client JS. */
import { Textarea, type TextareaProps } from '@mantine/core';
import { commentLimit } from '#server/grading-desk/rules.ts';
import { useField } from '../ui/form-state.ts';
import { limitHint } from '../ui/limit-hint.ts';

interface FinishFieldsProps extends TextareaProps {
  nickname?: string;
}

export function FinishFields({ nickname, ...comment }: FinishFieldsProps) {
  const { value, error } = useField('comment');
  return (
    <>
      <p>{nickname !== undefined && `学员：${nickname}。`}完成后不能再修改评分。</p>
      <Textarea
        id="comment"
        name="comment"
        label="总评语"
        description={limitHint(commentLimit, true)}
        rows={4}
        resize="vertical"
        defaultValue={value}
        error={error}
        {...comment}
      />
    </>
  );
}
