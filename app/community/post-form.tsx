/** Publishes a post with pictures: an ordinary multipart form. */
import type { publishPost } from '#server/community/contract.ts';
import { postImageLimit, postLimit } from '#server/community/rules.ts';
import { pictureBytes, shownBytes } from '#server/platform/files/rules.ts';
import { type Refused, Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import styles from './post-form.module.css';

interface PostFormProps {
  action: string;
  idempotencyKey: string;
  refused: Refused | undefined;
}

const { AreaField, FileField, Form } = formOf<typeof publishPost, 'files'>();

export function PostForm({ action, idempotencyKey, refused }: PostFormProps) {
  const kept = refused?.typed?.flatMap(([name, value]) => (name === 'images' ? [value] : [])) ?? [];
  return (
    <Form
      action={action}
      idempotencyKey={idempotencyKey}
      refused={refused}
      draft={`post ${action}`}
      encType="multipart/form-data"
      className={styles.form}
    >
      <AreaField
        name="content"
        id="post-content"
        label="发布帖子"
        rows={3}
        placeholder={`说点什么，最多${postLimit}个字`}
      />
      {kept.length > 0 && (
        <fieldset className={styles.kept}>
          <legend>已上传的图片，取消勾选则不发布</legend>
          {kept.map((path, index) => (
            <label key={path}>
              <input type="checkbox" name="images" value={path} defaultChecked />
              <img src={path} alt={`已上传的图片 ${index + 1}`} />
            </label>
          ))}
        </fieldset>
      )}
      <div className={styles.foot}>
        <FileField
          name="files"
          id="post-files"
          becomes="images"
          label="添加图片"
          description={`最多${postImageLimit}张，每张不超过 ${shownBytes(pictureBytes)}`}
          multiple
          accept="image/png,image/jpeg,image/gif,image/webp"
        />
        <Submit>发布</Submit>
      </div>
    </Form>
  );
}
