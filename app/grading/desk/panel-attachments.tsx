/** Files of a comment, each with a checkbox. The next save removes the unticked ones. */
import { imageLimit } from '#server/grading-desk/rules.ts';
import { fileExtensions } from '#server/platform/files/rules.ts';
import { AttachmentLink } from '../question-view.tsx';
import styles from './grade-panel.work.module.css';
import { Fault, faultId, type PanelHandlers, type PartProps } from './panel-part.tsx';

interface AttachmentProps extends PartProps {
  isLive: boolean;
  uploading: number;
  onAttach: PanelHandlers['attach'];
}

const acceptedFiles = fileExtensions.map((extension) => `.${extension}`).join(',');

export function AttachmentFields({ draft, fault, type, isLive, uploading, onAttach }: AttachmentProps) {
  const files = draft.review_attachments;
  return (
    <div className={styles.part}>
      <div className={styles.labelled}>
        <label htmlFor="files">附件</label>
        <span className={styles.count}>
          {files.length}/{imageLimit}
        </span>
      </div>
      {files.length > 0 && (
        <ul className={styles.files}>
          {files.map((file) => (
            <li key={file.url}>
              {!isLive && (
                <input
                  type="checkbox"
                  name="keep_attachment"
                  value={JSON.stringify(file)}
                  defaultChecked
                  aria-label={`保留 ${file.name}`}
                />
              )}
              <AttachmentLink file={file} />
              {isLive && (
                <button
                  type="button"
                  aria-label={`移除 ${file.name}`}
                  title="移除"
                  onClick={() => type({ review_attachments: files.filter(({ url }) => url !== file.url) })}
                >
                  ✕
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.attach}>
        <input
          id="files"
          type="file"
          name="files"
          multiple={isLive}
          accept={acceptedFiles}
          className={isLive ? 'visually-hidden' : undefined}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? faultId('files') : 'files-hint'}
          onChange={(event) => {
            onAttach([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
        {isLive ? (
          // A label of our own, because the browser's file button is in the browser's language.
          <label htmlFor="files">选择文件</label>
        ) : (
          <button type="submit" name="intent" value="attach">
            上传附件
          </button>
        )}
      </div>
      <p className={styles.hint} id="files-hint">
        图片、文档、压缩包、音视频均可
      </p>
      {uploading > 0 && <p className={styles.hint}>正在上传 {uploading} 个文件…</p>}
      <Fault name="files" text={fault} />
    </div>
  );
}
