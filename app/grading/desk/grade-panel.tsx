/** The grading panel: score, comment, attachments, save. One form that works without client JS. */

import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { rateChoices } from '#server/grading/rules.ts';
import type { PinnedComments } from '#server/grading-desk/pinned-comments.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { KeypadInput } from '../../ui/client/keypad.tsx';
import { Form, Submit } from '../../ui/form.tsx';
import type { RefusedForm } from '../../ui/form-state.ts';
import type { DeskQuestion } from './desk.ts';
import type { Draft } from './draft-storage.ts';
import styles from './grade-panel.work.module.css';
import { rateKey } from './keys.ts';
import { AttachmentFields } from './panel-attachments.tsx';
import { Comment, commentField } from './panel-comment.tsx';
import { Fault, faultId, type PanelHandlers, type PartProps } from './panel-part.tsx';

/** Id of the grading form. Buttons of the answer card submit it. */
export const panelForm = 'grade';
export const scoreField = 'user_score';

/** Fingerprint of the panel's content. If it differs from the rendered panel's, something was typed. */
export const panelFingerprint = (draft: Pick<Draft, 'user_score' | 'review_comment' | 'review_attachments'>): string =>
  JSON.stringify([draft.user_score, draft.review_comment, draft.review_attachments.map(({ url }) => url)]);

/**
 * Invisible save button. Enter in a field presses the form's first submit button in document order, so this button
 * comes before the buttons of the head and of the answer card.
 */
export function EnterSaveButton() {
  return (
    <button
      type="submit"
      form={panelForm}
      name="intent"
      value="save"
      className="visually-hidden"
      tabIndex={-1}
      aria-hidden="true"
    >
      保存
    </button>
  );
}

export interface PanelFaults {
  user_score?: string | undefined;
  review_comment?: string | undefined;
  review_attachments?: string | undefined;
}

/** Maps the errors of all attachments to one key, because the panel shows them in one place. */
export const faultsOf = (refused: RefusedForm | undefined): PanelFaults =>
  Object.fromEntries(
    Object.entries(refused?.errors ?? {}).map(([name, messages]) => [/^\w*/.exec(name)?.[0] ?? name, messages[0]]),
  );

interface GradePanelProps {
  question: DeskQuestion;
  pinned: PinnedComments;
  rated: boolean;
  /** True if the student left the answer blank: a blank answer takes no score. */
  blank: boolean;
  draft: Draft;
  /** panelFingerprint of the panel as rendered. */
  seen: string;
  version: number;
  faults: PanelFaults;
  /** Shows whether the grade is saved. */
  state: ReactNode;
  /** True once hydrated. Before, and without client JS, the browser posts the form. */
  isLive: boolean;
  on: PanelHandlers;
  uploading: number;
  keysOn: boolean;
  /** Set when only finishing is left. On a phone, the finish button in the page head is far away. */
  onFinish: (() => void) | undefined;
  scoreRef?: RefObject<HTMLInputElement | null>;
}

export function GradePanel(props: GradePanelProps) {
  const { question, rated, blank, draft, seen, version, faults, state, on } = props;
  const form = useRef<HTMLFormElement>(null);
  const keepTyped = useEffectEvent(() => {
    // Takes over text that was typed before hydration: it is in the fields, but not yet in the draft.
    const typed = new FormData(form.current ?? undefined);
    const review_comment = String(typed.get(commentField) ?? '');
    const rate = rated ? String(typed.get(scoreField) ?? '') : '';
    if (review_comment !== draft.review_comment) on.type({ review_comment });
    if (rate !== '' && rate !== draft.user_score) on.type({ user_score: rate });
  });
  useEffect(() => keepTyped(), []);
  const part = { draft, type: on.type, hints: props.isLive && props.keysOn };
  return (
    <Form
      ref={form}
      id={panelForm}
      className={styles.panel}
      encType="multipart/form-data"
      noValidate
      aria-label="评分"
      onSubmit={(event) => {
        event.preventDefault();
        on.save();
      }}
    >
      <input type="hidden" name="ques_id" value={question.id} />
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="seen" value={seen} />
      {blank && <input type="hidden" name="blank" value="1" />}
      {blank && <p className={styles.blank}>未作答，不能评分</p>}
      {!blank && rated && <RateChoice {...part} fault={faults.user_score} />}
      {!blank && !rated && (
        <ScoreInput
          {...part}
          full={question.ques_score}
          fault={faults.user_score}
          isLive={props.isLive}
          scoreRef={props.scoreRef}
          onScore={on.score}
          onSave={on.save}
        />
      )}
      <Comment
        {...part}
        pinned={props.pinned}
        frequent={question.my_comments}
        onEdit={on.editComments}
        fault={faults.review_comment}
        isLive={props.isLive}
        onComment={on.comment}
      />
      <AttachmentFields
        {...part}
        fault={faults.review_attachments}
        isLive={props.isLive}
        uploading={props.uploading}
        onAttach={on.attach}
      />
      <div className={styles.foot}>
        <Submit intent="save">保存{part.hints && <kbd>Enter</kbd>}</Submit>
        {props.onFinish && (
          <Submit
            intent="finish"
            className={styles.finish}
            onClick={(event) => {
              event.preventDefault();
              props.onFinish?.();
            }}
          >
            完成批改
          </Submit>
        )}
        {state}
      </div>
    </Form>
  );
}

function ScoreInput({
  draft,
  fault,
  type,
  hints,
  full,
  isLive,
  scoreRef,
  onScore,
  onSave,
}: PartProps & {
  full: number;
  isLive: boolean;
  scoreRef: RefObject<HTMLInputElement | null> | undefined;
  onScore: PanelHandlers['score'];
  onSave: () => void;
}) {
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
          value={draft.user_score}
          onValueChange={onScore}
          done={{ label: '保存', run: onSave }}
        />
        <span>/ {formatScore(full)} 分</span>
        {isLive && (
          <>
            <button type="button" onClick={() => type({ user_score: String(full) })}>
              满分{hints && <kbd>F</kbd>}
            </button>
            <button type="button" onClick={() => type({ user_score: '0' })}>
              零分{hints && <kbd>Z</kbd>}
            </button>
          </>
        )}
      </div>
      {isLive && <WholeScores full={full} score={draft.user_score} type={type} />}
      <Fault name={scoreField} text={fault} />
    </div>
  );
}

/** Highest full score with a button per whole score. More buttons would take more room than the answer. */
const maxWhole = 15;

/** For touch screens: a button per whole score, so that grading takes one touch and 保存, without a keyboard. */
function WholeScores({ full, score, type }: { full: number; score: string; type: PanelHandlers['type'] }) {
  const last = Math.ceil(full) - 1;
  if (last < 1 || last > maxWhole) return null;
  return (
    <fieldset className={styles.marks} aria-label="整数得分">
      {Array.from({ length: last }, (_, place) => String(place + 1)).map((mark) => (
        <button
          key={mark}
          type="button"
          aria-label={`${mark}分`}
          aria-pressed={score === mark}
          onClick={() => type({ user_score: mark })}
        >
          {mark}
        </button>
      ))}
    </fieldset>
  );
}

function RateChoice({ draft, fault, type, hints }: PartProps) {
  return (
    <fieldset className={styles.part} aria-describedby={fault ? faultId(scoreField) : undefined}>
      <legend>本题正确率（得分率）</legend>
      <div className={styles.rates}>
        {rateChoices.map((rate) => (
          <label key={rate}>
            <input
              type="radio"
              name={scoreField}
              value={rate}
              checked={draft.user_score === String(rate)}
              onChange={() => type({ user_score: String(rate) })}
            />
            <span>
              {rate}%{hints && <kbd>{rateKey(rate)}</kbd>}
            </span>
          </label>
        ))}
      </div>
      <Fault name={scoreField} text={fault} />
    </fieldset>
  );
}
