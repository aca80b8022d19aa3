import { CompletePost, type publishPost } from '#server/community/contract.ts';
import { postImageLimit, postLimit } from '#server/community/rules.ts';
import { formatBytes, pictureBytes } from '#server/platform/files/rules.ts';
import { textOf } from '../lib/form-data.ts';
import { ValidatedFields } from '../ui/client/validation.tsx';
import { fieldsOf } from '../ui/fields-of.ts';
import { Submit } from '../ui/form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import styles from './post-form.posts.module.css';

const { AreaField, FileField } = fieldsOf<typeof publishPost, 'files'>();

/** Reads the form of a post. `images` has the URLs of uploaded pictures and the names of files still to be uploaded. */
const readPost = (form: FormData) => ({
  content: textOf(form, 'content'),
  images: [
    ...form.getAll('images').map(String),
    ...form.getAll('files').flatMap((file) => (file instanceof File && file.name ? [file.name] : [])),
  ],
});

export function PostFields({ refused }: { refused: RefusedForm | undefined }) {
  const kept = refused?.typed?.flatMap(([name, value]) => (name === 'images' ? [value] : [])) ?? [];
  return (
    <ValidatedFields schema={CompletePost} read={readPost} refused={refused}>
      <AreaField
        name="content"
        id="post-content"
        label="发布帖子"
        withAsterisk
        limit={postLimit}
        rows={3}
        placeholder="说点什么"
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
          description={`最多 ${postImageLimit} 张，每张不超过 ${formatBytes(pictureBytes)}`}
          multiple
          accept="image/png,image/jpeg,image/gif,image/webp"
        />
        <Submit>发布</Submit>
      </div>
    </ValidatedFields>
  );
}
