/** Publishes a post with pictures: an ordinary multipart form. */
import { imageLimit, postLimit } from '#server/community/rules.ts';
import type { Refused } from '../shell/dialog-action.server.ts';
import { buttonClass } from '../ui/button.tsx';
import { Draft } from '../ui/draft.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import styles from './post-form.module.css';

interface PostFormProps {
  action: string;
  idempotencyKey: string;
  refused: Refused | undefined;
}

export function PostForm({ action, idempotencyKey, refused }: PostFormProps) {
  const typed = (name: string) => (refused?.typed ?? []).flatMap(([key, value]) => (key === name ? [value] : []));
  const kept = typed('images');
  const [contentError, imagesError] = [refused?.errors?.content?.[0], refused?.errors?.images?.[0]];
  return (
    <form method="post" action={action} encType="multipart/form-data" className={styles.form}>
      {refused && (
        <p className={styles.message} role="alert">
          {refused.msg}
        </p>
      )}
      <input type="hidden" name="idempotency_key" value={refused?.key ?? idempotencyKey} />
      <Draft name={`post ${action}`} />
      <Field label="发布帖子" id="post-content" error={contentError}>
        <textarea
          id="post-content"
          name="content"
          rows={3}
          defaultValue={typed('content')[0]}
          placeholder={`说点什么，最多${postLimit}个字`}
          className={controlClass}
          aria-invalid={contentError ? true : undefined}
          aria-describedby={contentError ? 'post-content-error' : undefined}
        />
      </Field>
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
        <Field label="添加图片" id="post-files" error={imagesError}>
          <input
            type="file"
            id="post-files"
            name="files"
            multiple
            accept="image/png,image/jpeg,image/gif,image/webp"
            aria-invalid={imagesError ? true : undefined}
            aria-describedby={imagesError ? 'post-files-error post-files-note' : 'post-files-note'}
          />
          <p id="post-files-note" className={styles.note}>
            最多{imageLimit}张，每张不超过 10 MB
          </p>
        </Field>
        <button type="submit" className={buttonClass('primary')}>
          发布
        </button>
      </div>
    </form>
  );
}
