/** The tab of subjective questions: the answer on the left, the grading panel and the answer card beside it. */
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { AnswerImage } from '#server/grading-desk/answer.contract.ts';
import { Empty } from '../../ui/empty.tsx';
import {
  Attachments,
  QuestionText,
  QuestionTitle,
  Reference,
  SubjectiveAnswer,
  smallButtonClass,
} from '../question-view.tsx';
import { QuestionCard, ReportColumns, SecondaryText } from '../report-frame.tsx';
import { countByStatus } from '../terms.ts';
import { AnswerCard } from './answer-card.tsx';
import type { AnswerState } from './answer-states.ts';
import { type Desk, type DeskQuestion, isRatedDesk } from './desk.ts';
import { ConflictDialog, FinishDialog, KeysDialog } from './desk-dialogs.tsx';
import { finishButton } from './desk-head.tsx';
import { GradePanel, type PanelFaults, panelFingerprint, panelForm } from './grade-panel.tsx';
import styles from './grading-desk.work.module.css';
import type { GradingStore } from './grading-store.ts';
import type { DeskAddresses } from './links.ts';
import { SaveStatus } from './save-status.tsx';
import { useDeskKeys } from './use-desk-keys.ts';
import type { LiveDesk } from './use-live-desk.ts';
import { useUploads } from './use-uploads.ts';

const MarkupBoard = lazy(() =>
  import('../board/markup-board.tsx').then(({ MarkupBoard: Board }) => ({ default: Board })),
);

export type DeskDialog = 'finish' | 'keys' | undefined;

interface AnswerDeskProps {
  desk: LiveDesk;
  hrefs: DeskAddresses;
  /** True if the report cannot be graded. */
  closed: boolean;
  faults: PanelFaults;
  /** True while a dialog route is open over the desk. */
  covered: boolean;
  dialog: DeskDialog;
  onDialog: (dialog: DeskDialog) => void;
  onFinish: () => void;
  /** Ids of saves in conflict that the grader decides later. */
  postponedIds: readonly string[];
  onLater: (id: string) => void;
}

export function AnswerDesk({
  desk,
  hrefs,
  closed,
  faults,
  covered,
  dialog,
  onDialog,
  onFinish,
  postponedIds,
  onLater,
}: AnswerDeskProps) {
  const { store, view, live } = desk;
  const { desk: shown, turn } = view;
  const question = store.question();
  const state = store.state();
  const score = useRef<HTMLInputElement>(null);
  const heading = useNewAnswer(turn, score);
  const saved = useFocusAtTheEnd(store.isComplete());
  const [board, setBoard] = useState<number | undefined>();
  const uploads = useUploads(store, hrefs, desk.person);
  const conflict = view.pending.find(({ id, state }) => state === 'conflict' && !postponedIds.includes(id));
  const [keysOn, setKeysOn] = useDeskKeys(desk, {
    score,
    onSave: () => save(),
    blocked: covered || dialog !== undefined || board !== undefined || conflict !== undefined,
    onFinish,
    onDraw: setBoard,
    onHelp: () => onDialog('keys'),
  });
  // Memoised: rendering the images on each key press is too slow on old PCs.
  const drawn = view.draft.image;
  const images = useMemo(() => imagesWithMarks(question, state, drawn), [question, state, drawn]);
  /** Enter saves. Once everything is graded and saved, it finishes the report. */
  const save = () => {
    if (store.isComplete()) onFinish();
    else {
      saved.current = true;
      store.saveAndGo();
    }
  };
  if (!question || !state) return <Empty>本{shown.words.assignment}没有主观题</Empty>;

  const rated = isRatedDesk(shown);
  return (
    <>
      <ReportColumns
        side={
          <>
            {!closed && (
              <GradePanel
                question={question}
                pinned={shown.pinned}
                rated={rated}
                blank={state.status === 3}
                draft={view.draft}
                seen={panelFingerprint(store.freshDraft())}
                version={view.seenVersion}
                faults={{ ...faults, ...(view.fault ? { user_score: view.fault } : {}), ...uploads.faults }}
                state={live && <SaveStatus store={store} />}
                isLive={live}
                uploading={uploads.uploading}
                keysOn={keysOn}
                onFinish={store.isComplete() ? onFinish : undefined}
                scoreRef={score}
                on={{
                  type: (change) => store.type(change),
                  score: (text, changed) => store.typeScore(text, changed),
                  save,
                  comment: (comment) => store.toggleComment(comment),
                  editComments: () => store.editComments(),
                  attach: uploads.attach,
                }}
              />
            )}
            {shown.round && (
              <>
                <OtherQuestions desk={shown} hrefs={hrefs} />
                <FinishAll desk={desk} hrefs={hrefs} />
              </>
            )}
            <Card desk={desk} closed={closed} hrefs={hrefs} />
            {live && !closed && (
              <button type="button" className={styles.help} onClick={() => onDialog('keys')}>
                快捷键 <kbd>?</kbd>
                {!keysOn && '（已关闭）'}
              </button>
            )}
          </>
        }
      >
        <QuestionCard
          headingRef={heading}
          heading={
            <>
              <QuestionTitle question={question} rated={rated} status={state.status} mark={state.user_score} />
              {shown.round && <span className={styles.name}>{shown.report.nickname}</span>}
            </>
          }
        >
          <QuestionText question={question} />
          <Attachments files={question.attachments ?? []} />
          <Reference question={question} open />
          <SubjectiveAnswer question={question} images={images} onDraw={live && !closed ? setBoard : undefined} />
          {images.length > 0 && !live && !closed && (
            <noscript>
              <SecondaryText>
                在图片上批注需要运行脚本的<a href={hrefs.browsers}>较新的浏览器</a>，其余批改可照常进行。
              </SecondaryText>
            </noscript>
          )}
          {question.same_count > 0 && state.status === 4 && !closed && (
            <SameAnswers count={question.same_count} onOpen={() => store.gradeSame()} />
          )}
          {state.reviewer_name && !closed && <SecondaryText>上次批改：{state.reviewer_name}</SecondaryText>}
        </QuestionCard>
      </ReportColumns>
      {dialog === 'finish' && (
        <FinishDialog
          nickname={shown.report.nickname}
          comment={store.closingComment()}
          onType={(comment) => store.typeClosingComment(comment)}
          onClose={() => onDialog(undefined)}
          onFinish={(comment) => {
            onDialog(undefined);
            store.finish(comment);
          }}
        />
      )}
      {dialog === 'keys' && (
        <KeysDialog rated={rated} on={keysOn} onSwitch={setKeysOn} onClose={() => onDialog(undefined)} />
      )}
      {conflict && (
        <ConflictDialog
          key={conflict.id}
          store={store}
          pending={conflict}
          rated={rated}
          onLater={() => onLater(conflict.id)}
        />
      )}
      {board !== undefined && (
        <Suspense>
          <MarkupBoard
            images={images.map(({ url, draw }, place) => ({ url, draw, draft: store.keptDrawing(place) }))}
            index={board}
            onSave={uploads.saveDrawing}
            onChange={(place, draw) => store.keepDrawing(place, draw)}
            onClose={(saved) => {
              setBoard(undefined);
              if (saved) store.notify({ kind: 'success', text: '保存成功' });
            }}
            letterKeys={keysOn}
            refused={refusedDrawing(store)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Explains why the last save of drawn mark-up failed. Shown on the board, which covers the message on the desk. */
function refusedDrawing(store: GradingStore): string | undefined {
  const pending = store.unsettled();
  if (pending?.state === 'conflict') return '标注尚未保存：他人已批改该题，请关闭标注后选择';
  return pending && `标注未能保存：${pending.message ?? ''}`;
}

/**
 * Moves the focus to the finish button after the last answer is saved, so that further typing does not change its
 * score. A report that is complete when it opens does not move the focus.
 */
function useFocusAtTheEnd(isComplete: boolean) {
  const saved = useRef(false);
  useEffect(() => {
    if (isComplete && saved.current) document.getElementById(finishButton)?.focus({ preventScroll: true });
    saved.current = false;
  }, [isComplete]);
  return saved;
}

/**
 * Scrolls a newly opened answer to its top. Focuses its heading, so that it is announced, unless the focus is elsewhere
 * than in the grading panel.
 */
function useNewAnswer(turn: number, score: React.RefObject<HTMLInputElement | null>) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (turn === 0) return;
    const top = heading.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) heading.current?.scrollIntoView({ block: 'start' });
    const { activeElement } = document;
    const isOnDesk = activeElement === score.current || activeElement?.getAttribute('form') === panelForm;
    if (activeElement === document.body || isOnDesk) heading.current?.focus({ preventScroll: true });
  }, [turn, score]);
  return heading;
}

const imagesWithMarks = (
  question: DeskQuestion | undefined,
  state: AnswerState | undefined,
  drawn: readonly ({ draw: string; path: string } | null)[],
): AnswerImage[] =>
  (question?.answerImages ?? []).map(({ url }, place) => {
    const { draw, path } = drawn[place] ?? state?.images[place] ?? { draw: '', path: '' };
    return { url, draw, path };
  });

/** Link to a dialog that grades equal answers together; the dialog first lists their students. */
function SameAnswers({ count, onOpen }: { count: number; onOpen: () => void }) {
  return (
    <p className={styles.same}>
      另有 {count} 份相同的答案
      <button
        type="submit"
        form={panelForm}
        name="intent"
        value="same"
        className={smallButtonClass}
        onClick={(event) => {
          event.preventDefault();
          onOpen();
        }}
      >
        一并批改
      </button>
    </p>
  );
}

/** Links to the other questions, when grading by question. */
function OtherQuestions({ desk, hrefs }: { desk: Desk; hrefs: DeskAddresses }) {
  if (desk.subjective.length < 2) return null;
  return (
    <nav className={styles.switch} aria-label="题目">
      {desk.subjective.map(({ question_id, sort }) => (
        <a
          key={question_id}
          href={hrefs.desk({ ...desk.address, ques_id: question_id, batch: undefined })}
          aria-current={question_id === desk.address.ques_id ? 'true' : undefined}
        >
          第 {sort} 题
        </a>
      ))}
    </nav>
  );
}

/** Link to finish all reports whose answers are all graded, when grading by question. */
function FinishAll({ desk, hrefs }: { desk: LiveDesk; hrefs: DeskAddresses }) {
  const { store, view } = desk;
  const { address, round } = view.desk;
  // Scores given on this page may have completed more reports than `count` says, so the dialog counts again.
  const isDone = store.roundCounts().every(({ status, count }) => status !== 4 || count === 0);
  const count = round?.finishable_count ?? 0;
  if (count === 0 && !isDone) return null;
  return (
    <p className={styles.same}>
      <a
        href={hrefs.finishAll({ ...address, batch: undefined })}
        onClick={(event) => {
          event.preventDefault();
          store.finishAll();
        }}
      >
        完成全部已批改的{view.desk.words.report}
        {count > 0 && `（${count} 份）`}
      </a>
    </p>
  );
}

function Card({ desk, closed, hrefs }: { desk: LiveDesk; closed: boolean; hrefs: DeskAddresses }) {
  const { store, view } = desk;
  const { address, round } = view.desk;
  const card = store.card();
  const addressOf = (id: number) => ({ ...address, ...(round ? { report_id: id } : { ques_id: id }) });
  return (
    <AnswerCard
      label={round ? '答题卡（学员）' : '答题卡'}
      places={card}
      counts={round ? store.roundCounts() : countByStatus(card, [5, 4, 1, 2, 3])}
      form={closed ? undefined : panelForm}
      onChoose={store.choose}
      href={closed ? (id) => hrefs.desk(addressOf(id)) : undefined}
    />
  );
}
