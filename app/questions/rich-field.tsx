/**
 * A text with formats, pictures and formulas. Without client JS a text area of plain text, or of HTML where there are
 * formats; with it an editor, which is loaded and started when the field is entered.
 */
import { lazy, Suspense, useRef, useState } from 'react';
import { controlClass } from '../ui/field.tsx';
import { richClass } from '../ui/rich-html.tsx';
import { OperationButton } from './operation-button.tsx';
import { FieldMessages } from './question-fields.tsx';
import type { FormContext } from './question-form.tsx';
import { plainTextOf } from './question-form-data.ts';
import styles from './rich-field.module.css';
import { StaticRich } from './static-rich.tsx';

/** The server never shows an editor: there it is not even bundled. */
const loadEditor = () =>
  import.meta.env.SSR ? Promise.reject(new Error('no editor on the server')) : import('./rich-editor.tsx');
const RichEditor = lazy(() => loadEditor().then((module) => ({ default: module.RichEditor })));

interface RichFieldProps {
  label: string;
  isLabelHidden?: boolean;
  /** As in the messages; with the prefix it is the name of the field. */
  path: string;
  html: string;
  rows: number;
  required?: boolean;
  context: FormContext;
  onChange: (html: string) => void;
}

export function RichField(props: RichFieldProps) {
  const { label, isLabelHidden, path, html, required, context } = props;
  const id = context.prefix + path;
  const messages = context.errors[path];
  const labelClass = isLabelHidden ? 'visually-hidden' : undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id} id={`${id}-label`} className={labelClass}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      {context.dispatch ? (
        <>
          <input type="hidden" name={id} value={html} />
          <input type="hidden" name={`${id}.as`} value="html" />
          <LiveField {...props} id={id} isInvalid={messages !== undefined} />
        </>
      ) : (
        <PlainArea {...props} id={id} isInvalid={messages !== undefined} />
      )}
      <FieldMessages id={id} messages={messages} />
    </div>
  );
}

type ControlProps = RichFieldProps & { id: string; isInvalid: boolean };

/** For a browser without client JS. */
function PlainArea({ path, html, rows, label, context, id, isInvalid }: ControlProps) {
  const text = plainTextOf(html);
  return (
    <>
      <textarea
        id={id}
        name={id}
        rows={text === undefined ? Math.max(rows, 4) : rows}
        defaultValue={text ?? html}
        aria-invalid={isInvalid ? true : undefined}
        aria-describedby={isInvalid ? `${id}-error` : undefined}
        className={controlClass}
      />
      <input type="hidden" name={`${id}.as`} value={text === undefined ? 'html' : 'text'} />
      <details className={styles.more}>
        <summary>{text === undefined ? '内容带格式，按 HTML 编辑；插入图片' : '插入图片'}</summary>
        <div>
          <input
            type="file"
            name={`${id}.file`}
            accept="image/png,image/jpeg,image/gif,image/webp"
            aria-label={`${label}的图片`}
          />
          <OperationButton context={context} operation={{ kind: 'upload', field: path }} anchor={path} isUpload>
            上传并插入
          </OperationButton>
          <p>公式用 LaTeX 书写，前后加 $，例如 $\frac{'{1}{2}'}$</p>
        </div>
      </details>
    </>
  );
}

/** Text until it is entered, then an editor; for browsers with client JS. Its label has the id `<id>-label`. */
export function LiveField({
  html,
  rows,
  required,
  id,
  isInvalid,
  onChange,
}: Pick<ControlProps, 'html' | 'rows' | 'required' | 'id' | 'isInvalid' | 'onChange'>) {
  const [isEntered, setEntered] = useState(false);
  const pointer = useRef<{ left: number; top: number } | undefined>(undefined);
  const described = {
    'aria-labelledby': `${id}-label`,
    'aria-invalid': isInvalid ? true : undefined,
    'aria-required': required ? true : undefined,
    'aria-describedby': isInvalid ? `${id}-error` : undefined,
  } as const;
  const resting = (
    // biome-ignore lint/a11y/useSemanticElements: a text area shows neither pictures nor formulas.
    <div
      {...described}
      id={id}
      role="textbox"
      aria-multiline="true"
      tabIndex={0}
      className={`${controlClass} ${richClass} ${styles.box}`}
      style={{ minHeight: rows * 24 + 10 }}
      onPointerEnter={loadEditor}
      onPointerDown={(event) => {
        pointer.current = { left: event.clientX, top: event.clientY };
      }}
      onFocus={() => setEntered(true)}
    >
      <StaticRich html={html} />
    </div>
  );
  if (!isEntered) return resting;
  return (
    <Suspense fallback={resting}>
      <RichEditor id={id} described={described} html={html} rows={rows} at={pointer.current} onChange={onChange} />
    </Suspense>
  );
}
