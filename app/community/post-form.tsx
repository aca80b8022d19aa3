/** Form for a new post with pictures. */
import { Form } from '../ui/form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { Hydrated } from '../ui/hydrated.tsx';
import { PostFields } from './post-fields.tsx';
import styles from './post-form.posts.module.css';

interface NewPostFormProps {
  action: string;
  idempotencyKey: string;
  refused: RefusedForm | undefined;
}

export const NewPostForm = ({ action, idempotencyKey, refused }: NewPostFormProps) => (
  <Form
    action={action}
    idempotencyKey={idempotencyKey}
    refused={refused}
    checked
    draft={`post ${action}`}
    encType="multipart/form-data"
    className={`${styles.form} no-print`}
  >
    <Hydrated name="post-fields.island" component={PostFields} props={{ refused }} />
  </Form>
);
