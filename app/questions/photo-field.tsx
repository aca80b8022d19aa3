/** Takes a photograph or a scan as the content of a rich text field: by a button, a drop or a paste. */
import { type ClipboardEvent, type DragEvent, type ReactNode, useRef, useState } from 'react';
import { photoTypes } from '#server/platform/files/rules.ts';
import { rowActionClass } from '../ui/row-action.tsx';
import styles from './photo-field.work.module.css';
import type { QuestionFormContext } from './question-form-context.ts';
import { picturesAmong, stillUploading, uploadPicture, useUnfinishedGuard } from './upload-picture.ts';

interface PhotoFieldProps {
  /** Path of the field. */
  path: string;
  /** Text of the button; without it, the field takes only drops and pastes. */
  button?: string | undefined;
  context: QuestionFormContext;
  /** Stands in the place of the button until client JS runs. */
  withoutScript: ReactNode;
  children: ReactNode;
}

/** Works with client JS only. The field's editor takes pastes and drops itself, so this one has those before it is loaded. */
export function PhotoField({ path, button, context, withoutScript, children }: PhotoFieldProps) {
  const place = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isUploading, setUploading] = useState(false);
  const [problem, setProblem] = useState<string>();
  useUnfinishedGuard(place, setProblem);

  const take = async (photos: File[]) => {
    setProblem(undefined);
    for (const photo of photos) {
      const edited = await editPhoto(photo);
      if (!edited || !place.current) continue;
      setUploading(true);
      const kept = await uploadPicture(edited, place.current);
      setUploading(false);
      if ('path' in kept) context.dispatch?.({ kind: 'insert-picture', field: path, source: kept.path });
      else setProblem(kept.msg);
    }
    input.current?.focus();
  };
  const takeAmong = (event: ClipboardEvent | DragEvent, files: FileList) => {
    const photos = picturesAmong(files);
    if (event.isDefaultPrevented() || photos.length === 0) return;
    event.preventDefault();
    void take(photos);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped here; the button does the same.
    <div
      ref={place}
      onDragOver={(event) => {
        // Otherwise the browser leaves the form to show the file.
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      }}
      onDrop={(event) => takeAmong(event, event.dataTransfer.files)}
      onPaste={(event) => {
        if (event.clipboardData.getData('text/plain') === '') takeAmong(event, event.clipboardData.files);
      }}
    >
      {children}
      {button ? (
        // Has its height before hydration, so that nothing below moves.
        <div className={styles.place}>
          {context.dispatch ? (
            <label className={`${rowActionClass} ${styles.button}`}>
              {button}
              <input
                ref={input}
                type="file"
                accept={photoTypes}
                multiple
                className="visually-hidden"
                onChange={(event) => {
                  const photos = [...(event.currentTarget.files ?? [])];
                  event.currentTarget.value = '';
                  void take(photos);
                }}
              />
            </label>
          ) : (
            withoutScript
          )}
        </div>
      ) : (
        withoutScript
      )}
      {isUploading && (
        <p role="status" data-unfinished={stillUploading}>
          图片上传中…
        </p>
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Lets the user turn and crop a photograph; undefined if cancelled. The server reads what this browser cannot, as HEIC. */
async function editPhoto(photo: File): Promise<File | undefined> {
  try {
    const editor = await import('../ui/client/photo-editor.ts');
    const edited = await editor.editPhoto(photo, document.querySelector<HTMLElement>('#screen') ?? document.body);
    if (!edited || edited === photo) return edited && photo;
    return new File([edited], '图片.jpg', { type: edited.type });
  } catch {
    return photo;
  }
}
