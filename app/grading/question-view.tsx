/** A question with one student's answer, on the desk and in read-only reports. */

import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import type { AnswerImage, AnswerStatus } from '#server/grading-desk/answer.contract.ts';
import type { ReviewQuestion } from '#server/grading-desk/homework.contract.ts';
import { isStoredAddress } from '#server/platform/files/rules.ts';
import { formatScore, optionLetter } from '#server/platform/text/rules.ts';
import { Difficulty } from '../questions/difficulty.tsx';
import { questionTypeNames } from '../questions/terms.ts';
import { RichHtml } from '../ui/rich-html.tsx';
import styles from './question-view.work.module.css';
import { answerStatusNames, formatMark } from './terms.ts';

export const smallButtonClass = styles.act ?? '';

export type ShownQuestion = Omit<ReviewQuestion, 'version' | 'reviewer_name' | 'same_count' | 'my_comments'>;

export function StatusTag({ status }: { status: AnswerStatus }) {
  return (
    <span className={styles.status} data-status={status}>
      {answerStatusNames[status]}
    </span>
  );
}

export function QuestionTitle({
  question,
  rated,
  status = question.status,
  mark = question.user_score,
  kind,
}: {
  question: ShownQuestion;
  rated: boolean;
  /** `status` and `mark` (the score) override the server's values, for grades that are not saved yet. */
  status?: AnswerStatus;
  mark?: number | null;
  /** Replaces the usual name of the question type. */
  kind?: string | undefined;
}) {
  return (
    <>
      <span className={styles.number}>第 {question.sort} 题</span>
      <span className={styles.kind}>{kind ?? questionTypeNames[question.ques_type]}</span>
      {!rated && <span className={styles.kind}>{formatScore(question.ques_score)} 分</span>}
      <span>
        <Difficulty value={question.facility_value} />
      </span>
      <StatusTag status={status} />
      {mark !== null && status !== 3 && <span className={styles.mark}>{formatMark(rated, mark)}</span>}
    </>
  );
}

/** Material, stem, and the options of an objective question. `figure` replaces the options. */
export const QuestionText = memo(function QuestionText({
  question,
  figure,
}: {
  question: ShownQuestion;
  figure?: ReactNode;
}) {
  const chosen = new Set(question.user_answer.split(/[\s,]+/));
  return (
    <>
      {question.parent_ques_item && (
        <details className={styles.fold} open>
          <summary>材料</summary>
          <RichHtml html={question.parent_ques_item} />
        </details>
      )}
      <div className={styles.stem}>
        <RichHtml html={question.ques_stem} />
      </div>
      {figure}
      {!figure && question.ques_option.length > 0 && (
        <ol className={styles.options}>
          {question.ques_option.map(({ id, content, is_right }, place) => (
            <li key={id} data-right={is_right === 1 || undefined} data-chosen={chosen.has(String(id)) || undefined}>
              {/* True/false options have no letter, neither here nor in answers and papers. */}
              <span>{question.ques_type === 2 ? '' : `${optionLetter(place)}.`}</span>
              <RichHtml html={content} />
              {chosen.has(String(id)) && <span className={styles.note}>学员选择</span>}
              {is_right === 1 && <span className={styles.note}>正确答案</span>}
            </li>
          ))}
        </ol>
      )}
    </>
  );
});

/** A student's answer to an objective question, in letters and words. */
export function ObjectiveAnswer({ question, given }: { question: ShownQuestion; given?: string | undefined }) {
  const { user_answer, right_answer_shown, status } = question;
  return (
    <dl className={styles.pair}>
      <dt>学员答案</dt>
      <dd data-status={status}>{status === 3 ? '未作答' : (given ?? answerWords(question, user_answer))}</dd>
      <dt>正确答案</dt>
      <dd>
        <RichHtml html={right_answer_shown} />
      </dd>
    </dl>
  );
}

/** Formats an answer: `A、C`, `正确`, or the blanks in order. */
function answerWords({ ques_type, ques_option }: ShownQuestion, answer: string): string {
  if (ques_type === 7)
    return answer
      .split('@@')
      .map((blank) => blank.trim() || '（空）')
      .join('；');
  const ids = new Set(answer.split(/[\s,]+/));
  if (ques_type === 2) return ques_option.find(({ id }) => ids.has(String(id)))?.content ?? '—';
  const letters = ques_option.flatMap(({ id }, place) => (ids.has(String(id)) ? [optionLetter(place)] : []));
  return letters.join('、') || '—';
}

interface AnswerImagesProps {
  images: readonly AnswerImage[];
  label: string;
  /** Opens the mark-up board for an image. */
  onDraw?: ((place: number) => void) | undefined;
}

/**
 * An image that shows a text if it fails to load, also to screen readers. Without client JS the style sheet shows the
 * text.
 */
function Picture({ src, alt }: { src: string; alt: string }) {
  const [missing, setMissing] = useState<string>();
  const image = useRef<HTMLImageElement>(null);
  // The image may have failed to load before hydration.
  useEffect(() => {
    const { complete = false, naturalWidth = 1 } = image.current ?? {};
    if (complete && naturalWidth === 0) setMissing(src);
  }, [src]);
  if (missing === src) return <p role="alert">图片已丢失，无法显示</p>;
  return <img ref={image} src={src} alt={alt} loading="lazy" decoding="async" onError={() => setMissing(src)} />;
}

/** Shows images with their mark-up, each linked to its original. */
export function AnswerImages({ images, label, onDraw }: AnswerImagesProps) {
  if (images.length === 0) return null;
  return (
    <div className={styles.images}>
      {images.map(({ url, path }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an image is its place in the answer.
        <figure key={place}>
          <a href={path || url} target="_blank" rel="noreferrer">
            <Picture src={path || url} alt={`${label} 图片 ${place + 1}`} />
          </a>
          <figcaption>
            图片 {place + 1}
            {path && (
              <a href={url} target="_blank" rel="noreferrer">
                原图
              </a>
            )}
            {onDraw && (
              <button type="button" className={smallButtonClass} onClick={() => onDraw(place)}>
                {path ? '修改批注' : '批注'}
              </button>
            )}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

export const SubjectiveAnswer = memo(function SubjectiveAnswer({
  question,
  images,
  onDraw,
}: {
  question: ShownQuestion;
  images: readonly AnswerImage[];
  onDraw?: ((place: number) => void) | undefined;
}) {
  const isBlank = question.answer_content === '' && images.length === 0;
  return (
    <div className={styles.answer}>
      <h3>学员答案</h3>
      {isBlank ? <p className={styles.blank}>未作答</p> : <RichHtml html={question.answer_content} />}
      <AnswerImages images={images} label={`第 ${question.sort} 题`} onDraw={onDraw} />
    </div>
  );
});

/** The reference answer and the analysis of a question. */
export const Reference = memo(function Reference({
  question,
  open,
  analysisOpen = false,
}: {
  question: ShownQuestion;
  open: boolean;
  analysisOpen?: boolean;
}) {
  const name = question.ques_type === 5 ? '参考答案' : '正确答案';
  return (
    <>
      {question.ques_type === 5 && question.right_answer_shown && (
        <details className={styles.fold} open={open}>
          <summary>{name}</summary>
          <RichHtml html={question.right_answer_shown} />
        </details>
      )}
      {question.ques_analysis && (
        <details className={styles.fold} open={analysisOpen}>
          <summary>解析</summary>
          <RichHtml html={question.ques_analysis} />
        </details>
      )}
    </>
  );
});

export interface ShownFile {
  name: string;
  url: string;
  ext?: string;
}

/** A file link with its type. The downloaded file gets the shown name, not its storage key. */
export function AttachmentLink({ file: { name, url, ext = '' } }: { file: ShownFile }) {
  const shown = name || '附件';
  const kind = (ext || (/\.(\w{1,5})$/.exec(name)?.[1] ?? '')).toUpperCase();
  const href = isStoredAddress(url) && name ? `${url}?name=${encodeURIComponent(name)}` : url;
  return (
    <a className={styles.file} href={href} target="_blank" rel="noreferrer" title={shown}>
      {kind && <span className={styles.ext}>{kind}</span>}
      <span>{shown}</span>
    </a>
  );
}

export function Attachments({ files }: { files: readonly ShownFile[] }) {
  if (files.length === 0) return null;
  return (
    <ul className={styles.files}>
      {files.map((file) => (
        <li key={file.url}>
          <AttachmentLink file={file} />
        </li>
      ))}
    </ul>
  );
}
