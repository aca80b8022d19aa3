import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { CompleteNotice, type postNotice } from '#server/notices/contract.ts';
import { noticeTitleLimit } from '#server/notices/rules.ts';
import { htmlOf } from '../questions/rich-text.ts';
import { type Fields, fillFields } from '../ui/client/drafts/keep-form.ts';
import { validatedFormOf } from '../ui/client/validated-form.tsx';
import { fieldsOf, type NamesOf } from '../ui/fields-of.ts';
import { Submit } from '../ui/form.tsx';
import type { RefusedForm, Values } from '../ui/form-state.ts';
import { ContentField } from './content-field.tsx';
import styles from './notice.posts.module.css';
import { readNotice } from './read-notice.ts';

interface NoticeFormProps {
  title: string;
  action: string;
  back: string;
  values: Values<NamesOf<typeof postNotice>>;
  draft: string;
  idempotencyKey: string;
  refused: RefusedForm | undefined;
}

const ValidatedForm = validatedFormOf<typeof postNotice>();
const { TextField } = fieldsOf<typeof postNotice>();

export function NoticeForm({ title, back, ...sent }: NoticeFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [restored, setRestored] = useState<string>();
  const restore = (fields: Fields) => {
    if (form.current) fillFields(form.current, fields);
    const kept = new Map(fields);
    const content = kept.get('content') ?? '';
    setRestored(kept.get('content.as') === 'html' ? content : htmlOf(content));
  };
  return (
    <ValidatedForm
      {...sent}
      schema={CompleteNotice}
      read={readNotice}
      ref={form}
      restore={restore}
      className={styles.form}
    >
      <h1>{title}</h1>
      <TextField name="title" label="标题" withAsterisk limit={noticeTitleLimit} />
      <ContentField key={restored === undefined ? 0 : 1} restored={restored} />
      <div className={styles.buttons}>
        <Button component="a" href={back} variant="default">
          取消
        </Button>
        <Submit>发布</Submit>
      </div>
    </ValidatedForm>
  );
}
