/** The panel: mark, comment, attachments, save. One form, which works without client JS. */
import type { ReactNode, RefObject } from 'react';
import { commentLimit, imageLimit, type ReviewQuestion, rateChoices } from '#server/correction/contract.ts';
import { buttonClass } from '../ui/button.tsx';
import { controlClass } from '../ui/field.tsx';
import { KeypadInput } from '../ui/keypad.tsx';
import styles from './grade-panel.module.css';
import type { Attachment } from './save-queue.ts';
import type { Draft } from './shelf.ts';

/** The form's id: the answer card's buttons belong to it. */
export const panelForm = 'grade';
export const scoreField = 'user_score';
export const commentField = 'review_comment';

/** The panel as it was shown, to tell whether anything was typed. */
export const seenPanel = (draft: Pick<Draft, 'user_score' | 'review_comment' | 'review_attachments'>): string =>
  JSON.stringify([draft.user_score, draft.review_comment, draft.review_attachments.map(({ url }) => url)]);

export interface PanelFaults {
  user_score?: string | undefined;
  review_comment?: string | undefined;
  review_attachments?: string | undefined;
}

interface GradePanelProps {
  question: ReviewQuestion;
  rated: boolean;
  /** The answer was left blank: it takes no mark. */
  blank: boolean;
  draft: Draft;
  /** The panel before anything was typed (seenPanel). */
  seen: string;
  version: number;
  faults: PanelFaults;
  /** Where the save stands. */
  state: ReactNode;
  /** What only the living page does; without it the form is sent. */
  live?: LivePanel | undefined;
  scoreRef?: RefObject<HTMLInputElement | null>;
}

export interface LivePanel {
  onType: (change: Partial<Draft>) => void;
  onSave: () => void;
  onComment: (comment: string) => void;
  onAttach: (files: readonly File[]) => void;
  uploading: number;
  keysOn: boolean;
}

export function GradePanel({
  question,
  rated,
  blank,
  draft,
  seen,
  version,
  faults,
  state,
  live,
  scoreRef,
}: GradePanelProps) {
  return (
    <form
      id={panelForm}
      className={styles.panel}
      method="post"
      encType="multipart/form-data"
      noValidate
      aria-label="评分"
      onSubmit={(event) => {
        if (!live) return;
        event.preventDefault();
        live.onSave();
      }}
    >
      <input type="hidden" name="ques_id" value={question.id} />
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="seen" value={seen} />
      {blank && <input type="hidden" name="blank" value="1" />}
      {/* Enter in a field presses the first button of a form: it must be this one, not one of the card's. */}
      <button type="submit" name="intent" value="save" className={styles.first} tabIndex={-1} aria-hidden="true">
        保存
      </button>
      {blank ? (
        <p className={styles.blank}>未作答，不能评分</p>
      ) : rated ? (
        <RateChoice draft={draft} fault={faults.user_score} live={live} />
      ) : (
        <ScoreInput question={question} draft={draft} fault={faults.user_score} live={live} scoreRef={scoreRef} />
      )}
      <Comment question={question} draft={draft} fault={faults.review_comment} live={live} />
      <AttachmentFields draft={draft} fault={faults.review_attachments} live={live} />
      <div className={styles.foot}>
        <button type="submit" name="intent" value="save" className={buttonClass('primary')}>
          保存{live?.keysOn && <kbd>Enter</kbd>}
        </button>
        {state}
      </div>
    </form>
  );
}

interface PartProps {
  draft: Draft;
  fault: string | undefined;
  live: LivePanel | undefined;
}

const faultId = (name: string) => `${name}-error`;

function Fault({ name, text }: { name: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p className={styles.fault} id={faultId(name)} role="alert">
      {text}
    </p>
  );
}

function ScoreInput({
  question,
  draft,
  fault,
  live,
  scoreRef,
}: PartProps & { question: ReviewQuestion; scoreRef: RefObject<HTMLInputElement | null> | undefined }) {
  const full = question.ques_score;
  return (
    <div className={styles.part}>
      <label htmlFor={scoreField}>得分</label>
      <div className={styles.score}>
        <KeypadInput
          id={scoreField}
          name={scoreField}
          ref={scoreRef}
          min={0}
          max={full}
          decimals={1}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? faultId(scoreField) : undefined}
          {...(live
            ? { value: draft.user_score, onValueChange: (user_score: string) => live.onType({ user_score }) }
            : { defaultValue: draft.user_score })}
        />
        <span>/ {full} 分</span>
        {live && (
          <>
            <button type="button" onClick={() => live.onType({ user_score: String(full) })}>
              满分{live.keysOn && <kbd>F</kbd>}
            </button>
            <button type="button" onClick={() => live.onType({ user_score: '0' })}>
              零分{live.keysOn && <kbd>Z</kbd>}
            </button>
          </>
        )}
      </div>
      <Fault name={scoreField} text={fault} />
    </div>
  );
}

function RateChoice({ draft, fault, live }: PartProps) {
  return (
    <fieldset className={styles.part} aria-describedby={fault ? faultId(scoreField) : undefined}>
      <legend>本题正确率（得分率）</legend>
      <div className={styles.rates}>
        {rateChoices.map((rate, place) => (
          <label key={rate}>
            <input
              type="radio"
              name={scoreField}
              value={rate}
              {...(live
                ? {
                    checked: draft.user_score === String(rate),
                    onChange: () => live.onType({ user_score: String(rate) }),
                  }
                : { defaultChecked: draft.user_score === String(rate) })}
            />
            <span>
              {rate}%{live?.keysOn && <kbd>{place + 1}</kbd>}
            </span>
          </label>
        ))}
      </div>
      <Fault name={scoreField} text={fault} />
    </fieldset>
  );
}

const commentKeys = ['Q', 'W', 'E', 'R', 'T'];

function Comment({ question, draft, fault, live }: PartProps & { question: ReviewQuestion }) {
  const length = [...draft.review_comment].length;
  const tooLong = live && length > commentLimit ? `评语最多${commentLimit}个字` : undefined;
  const shown = fault ?? tooLong;
  return (
    <div className={styles.part}>
      <div className={styles.labelled}>
        <label htmlFor={commentField}>评语</label>
        <span className={styles.count} data-over={length > commentLimit || undefined}>
          {live ? `${length}/${commentLimit}` : `最多${commentLimit}个字`}
        </span>
      </div>
      <textarea
        id={commentField}
        name={commentField}
        rows={3}
        className={controlClass}
        aria-invalid={shown ? true : undefined}
        aria-describedby={shown ? faultId(commentField) : undefined}
        {...(live
          ? {
              value: draft.review_comment,
              onChange: (event) => live.onType({ review_comment: event.currentTarget.value }),
            }
          : { defaultValue: draft.review_comment })}
      />
      <Fault name={commentField} text={shown} />
      {question.my_comments.length > 0 && (
        <fieldset className={styles.comments} aria-label="常用评语">
          <span>常用评语</span>
          {question.my_comments.map((comment, place) => (
            <button
              key={comment}
              type="submit"
              name="intent"
              value={`comment:${comment}`}
              title={comment}
              aria-pressed={live ? draft.review_comment.split('\n').includes(comment) : undefined}
              onClick={(event) => {
                if (!live) return;
                event.preventDefault();
                live.onComment(comment);
              }}
            >
              {live?.keysOn && <kbd>{commentKeys[place]}</kbd>}
              <span>{comment}</span>
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** Files beside the comment; unticked ones are taken away with the next save. */
function AttachmentFields({ draft, fault, live }: PartProps) {
  const files = draft.review_attachments;
  const remove = (file: Attachment) => {
    live?.onType({ review_attachments: files.filter(({ url }) => url !== file.url) });
  };
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
              {!live && (
                <input
                  type="checkbox"
                  name="keep_attachment"
                  value={JSON.stringify(file)}
                  defaultChecked
                  aria-label={`保留 ${file.name}`}
                />
              )}
              <a href={file.url} target="_blank" rel="noreferrer">
                {file.name || '附件'}
              </a>
              {live && (
                <button type="button" aria-label={`移除 ${file.name}`} title="移除" onClick={() => remove(file)}>
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
          multiple={live !== undefined}
          accept="image/*"
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? faultId('files') : undefined}
          onChange={(event) => {
            if (!live) return;
            live.onAttach([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
        {!live && (
          <button type="submit" name="intent" value="attach">
            上传附件
          </button>
        )}
      </div>
      {live !== undefined && live.uploading > 0 && <p className={styles.hint}>正在上传 {live.uploading} 个文件…</p>}
      <Fault name="files" text={fault} />
    </div>
  );
}
